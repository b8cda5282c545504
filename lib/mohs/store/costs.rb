# frozen_string_literal: true

module Mohs
  class Store
    # What earlier trials took: the medians of the newest measured ones of an application.
    class Costs
      # Trials looked back on: a few runs, so that an application that has grown is not judged by
      # what it was.
      NEWEST = 200

      #: (Sequel::Database) -> void
      def initialize(database)
        @trials = database[:trials]
        @cohorts = database[:cohorts]
        @runs = database[:runs]
        @slices = database[:slices]
      end

      # { variant's name => { boot_s:, warm_up_s: } }, each where it is known.
      #: (String) -> Hash[String, Hash[Symbol, Float]]
      def of(app)
        trials = newest(app)
        warm_up_ns = warm_up(trials.map { |trial| trial[:id] })
        trials.group_by { |trial| trial[:variant] }.transform_values do |same|
          {
            boot_s: median_s(same.map { |trial| trial[:boot_ns] }),
            warm_up_s: median_s(same.map { |trial| warm_up_ns[trial[:id]] }),
          }.compact
        end
      end

      private

      def newest(app)
        cohorts = @cohorts.where(run_id: @runs.where(app: app).select(:id)).select(:id)
        measured = @trials.where(cohort_id: cohorts, state: "measured").reverse(:id).limit(NEWEST)
        measured.select(:id, :variant, :boot_ns).all
      end

      def warm_up(trial_ids)
        sum = Sequel.cast(Sequel.function(:sum, :wall_ns), :Bignum).as(:wall_ns)
        warming = @slices.where(trial_id: trial_ids, warm_up: true)
        warming.group(:trial_id).select_hash(:trial_id, sum)
      end

      def median_s(times_ns)
        known = times_ns.compact.sort
        known[known.size / 2] / 1e9 unless known.empty?
      end
    end
  end
end
