# frozen_string_literal: true

module Mohs
  class Store
    # Median times of the newest measured trials of an application, in runs of the same kind
    # (Study#kind) that were measured here.
    class Costs
      # Trials considered: a few runs, so that an application that has grown is not judged by its
      # past.
      NEWEST = 200
      # Runs searched for those of the same kind.
      RUNS = 200

      #: (Sequel::Database) -> void
      def initialize(database)
        @trials = database[:trials]
        @runs = database[:runs]
        @slices = database[:slices]
      end

      # { variant's name => { boot_s:, warm_up_s:, usual_s:, measure_s: } }, each if known (usual_s:
      # the warm-up of servers whose variant had its cold start earlier in the round).
      #: (String, **untyped) -> Hash[String, Hash[Symbol, Float]]
      def of(app, **kind)
        trials = newest(runs(app, kind))
        again = kind[:cold_start] ? again(trials) : []
        blocks = loaded(trials, @slices.exclude(block: nil))
        others = loaded(trials, @slices.where(block: nil))
        trials.group_by { |trial| trial[:variant] }.transform_values do |same|
          usual, own = same.partition { |trial| again.include?(trial[:id]) }
          {
            boot_s: median_s(same.map { |trial| trial[:boot_ns] }),
            warm_up_s: median_s(own.map { |trial| others[trial[:id]] }),
            usual_s: median_s(usual.map { |trial| others[trial[:id]] }),
            measure_s: median_s(same.map { |trial| blocks[trial[:id]] }),
          }.compact
        end
      end

      private

      # Ids of the runs of this kind. Equal values may be written differently (60 and 60.0), so
      # values are compared, not their text.
      def runs(app, kind)
        asked = kind.compact.transform_values { |value| value.is_a?(Struct) ? value.to_h : value }
        rows = @runs.where(app:).reverse(:id).limit(RUNS).select_map(%i[id study provenance])
        same = rows.select do |_, study, provenance|
          kind_of(parse(study)) == asked && !parse(provenance).key?(:imported)
        end
        same.map(&:first)
      end

      def parse(text) = JSON.parse(text, symbolize_names: true)

      # Study#kind of a stored study.
      def kind_of(study) = study.slice(*Study::KIND).select { |_, value| value }

      def newest(runs)
        trial = Sequel[:trials]
        measured = @trials.join(:cohorts, id: :cohort_id)
                          .where(trial[:state] => "measured", run_id: runs)
        newest = measured.reverse(trial[:id]).limit(NEWEST)
        newest.select(trial[:id], :variant, :boot_ns, :run_id, :round).all
      end

      # Ids of all but the first trial of each variant in a round (Cohort::Execution records the
      # first one's cold start).
      def again(trials)
        rounds = trials.group_by { |trial| trial.values_at(:run_id, :round, :variant) }.values
        rounds.flat_map { |same| same.map { |trial| trial[:id] }.sort.drop(1) }
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
