# frozen_string_literal: true

module Mohs
  class Store
    # Medians of what the newest measured trials of an application took.
    class Costs
      # Trials considered: a few runs, so that an application that has grown is not judged by its
      # past.
      NEWEST = 200

      #: (Sequel::Database) -> void
      def initialize(database)
        @trials = database[:trials]
        @cohorts = database[:cohorts]
        @runs = database[:runs]
        @slices = database[:slices]
      end

      # How a stored study says that its servers' first load was in batches (Study::ColdStart), or
      # that its requests were batches of jobs (Study::Jobs).
      SPECIAL = { cold_start: '"cold_start":{', jobs: '"jobs":{' }.freeze

      # { variant's name => { boot_s:, warm_up_s:, measure_s: } }, each if known: of runs with this
      # cold start and these jobs, or with none.
      #: (String, ?cold_start: Study::ColdStart?, ?jobs: Study::Jobs?) -> Hash[String, Hash[Symbol, Float]]
      def of(app, cold_start: nil, jobs: nil)
        trials = newest(runs(app, cold_start:, jobs:))
        blocks = loaded(trials, @slices.exclude(block: nil))
        others = loaded(trials, @slices.where(block: nil))
        trials.group_by { |trial| trial[:variant] }.transform_values do |same|
          {
            boot_s: median_s(same.map { |trial| trial[:boot_ns] }),
            warm_up_s: median_s(same.map { |trial| others[trial[:id]] }),
            measure_s: median_s(same.map { |trial| blocks[trial[:id]] }),
          }.compact
        end
      end

      private

      def runs(app, **special)
        special.reduce(@runs.where(app: app)) do |all, (name, value)|
          next all.exclude(Sequel.like(:study, "%#{SPECIAL.fetch(name)}%")) unless value

          text = @runs.escape_like("\"#{name}\":#{JSON.generate(value.to_h)}")
          all.where(Sequel.like(:study, "%#{text}%"))
        end
      end

      def newest(runs)
        cohorts = @cohorts.where(run_id: runs.select(:id)).select(:id)
        measured = @trials.where(cohort_id: cohorts, state: "measured").reverse(:id).limit(NEWEST)
        measured.select(:id, :variant, :boot_ns).all
      end

      def loaded(trials, slices)
        sum = Sequel.cast(Sequel.function(:sum, :wall_ns), :Bignum).as(:wall_ns)
        slices = slices.where(trial_id: trials.map { |trial| trial[:id] })
        slices.group(:trial_id).select_hash(:trial_id, sum)
      end

      def median_s(times_ns)
        known = times_ns.compact.sort
        known[known.size / 2] / 1e9 unless known.empty?
      end
    end
  end
end
