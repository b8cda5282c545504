# frozen_string_literal: true

module Mohs
  class Experiment
    # Chooses which runs to delete, by age and number, and deletes them. Nothing is deleted of a run
    # that may be in progress.
    class Retention
      # A run that has not ended and has shown life within this time is in progress, whatever the
      # state of its cohorts: it may be installing what the next one needs.
      ALIVE_MS = 24 * 3600 * 1000

      # `go`: the Store::Listings to delete, newest first; `under_way`: those that would be deleted
      # but are in progress.
      Choice = Struct.new(:go, :under_way, keyword_init: true) do
        include Value
      end

      #: (store: Store, vault: Secrets::Vault, ?clock: Module) -> void
      def initialize(store:, vault:, clock: Clock)
        @store = store
        @vault = vault
        @clock = clock
      end

      # Runs that ended (or began, if they did not end) more than `older_than_s` ago and are not
      # among the newest `keep` runs of their application. nil: any age or number.
      #: (?older_than_s: Numeric?, ?keep: Integer?) -> Experiment::Retention::Choice
      def choose(older_than_s: nil, keep: nil)
        runs = @store.listed
        kept = keep ? runs.group_by(&:app).values.flat_map { |same| same.first(keep) } : []
        found = (runs - kept).select { |run| older_than_s.nil? || age_s(run) > older_than_s }
        alive, go = found.partition { |run| under_way?(run) }
        Choice.new(go:, under_way: alive)
      end

      # Is any run of the store in progress?
      #: () -> bool
      def busy? = @store.listed.any? { |run| under_way?(run) }

      # Deletes the runs, with the secrets of those that could have been resumed here, or only their
      # observations. Returns the runs that were deleted; other runs were resumed meanwhile.
      #: (Array[Store::Listing], ?recordings_only: bool) -> Array[Store::Listing]
      def delete(runs, recordings_only: false)
        gone = recordings_only ? without_recordings(runs) : without(runs)
        runs.select { |run| gone.include?(run.id) }
      end

      private

      def without_recordings(runs)
        settle(runs)
        @store.delete_observations(runs.map(&:id))
      end

      def without(runs)
        settle(runs)
        own = runs.reject(&:finished?).filter_map { |run| stored(run) }.reject(&:imported?)
        studies = own.to_h { |run| [run.id, run.study] }
        @store.delete_runs(runs.map(&:id)).each do |id|
          @vault.forget(studies.fetch(id)) if studies.key?(id)
        end
      end

      # nil if somebody else has deleted it meanwhile.
      def stored(run)
        @store.run(run.id)
      rescue UsageError
        nil
      end

      # A mohs that was killed leaves its cohort running, and the store does not delete such
      # cohorts.
      def settle(runs)
        runs.reject(&:finished?).each do |run|
          @store.release_stale(run.id) { |token| !Cohort::Token.alive?(token) }
        end
      end

      def age_s(run) = (@clock.real_ms - (run.finished_ms || run.created_ms)) / 1000.0

      def under_way?(run)
        return false if Store::Runs::ENDS.include?(run.state) || stored(run)&.imported?

        cohorts = @store.cohorts(run.id)
        signs = [run.created_ms, *cohorts.flat_map { |one| one.to_h.values_at(*SIGNS) }].compact
        now_ms = @clock.real_ms
        age_ms = (now_ms - signs.max).abs # another host's clock may be ahead
        age_ms < ALIVE_MS || Runner.state(run, cohorts, now_ms:) == "running"
      end

      SIGNS = %i[heartbeat_ms started_ms finished_ms].freeze
      private_constant :SIGNS
    end
  end
end
