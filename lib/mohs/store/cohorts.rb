# frozen_string_literal: true

module Mohs
  class Store
    # The part of Store for the table of cohorts: what is to run, who runs it and how it ended.
    # Whoever runs a cohort holds a claim: a token of its own and a heartbeat. Every change of
    # holder is one UPDATE with the old state in its WHERE clause, so that the database decides
    # between processes and hosts.
    module Cohorts
      ROW = Row.new(
        columns: %i[id run_id position round state token heartbeat_ms started_ms finished_ms],
        json: %i[spec host look],
      )
      ENDS = %w[done failed].freeze

      # The cohorts of a run, in the order of the plan.
      #: (Integer) -> Array[Store::Cohort]
      def cohorts(run_id) = watch { cohorts_of(run_id).map { |row| Cohort.of(ROW.unpack(row)) } }

      #: (Integer) -> Store::Cohort
      def cohort(cohort_id)
        row = watch { cohort_rows.first(id: cohort_id) }
        return Cohort.of(ROW.unpack(row)) if row

        raise StoreError, "no cohort #{cohort_id} in the store: was its run deleted?"
      end

      # Claims a queued cohort for the holder of `token` (at most 255 characters): true for one
      # caller only.
      #: (Integer, String) -> bool
      def claim(cohort_id, token)
        now = now_ms
        claimed = { state: "running", token:, heartbeat_ms: now, started_ms: now }
        transaction do
          taken = cohort_rows.where(id: cohort_id, state: "queued").update(claimed) == 1
          run = run_rows.where(id: cohort_rows.where(id: cohort_id).select(:run_id))
          run.update(state: "running", finished_ms: nil) if taken
          taken
        end
      end

      # Records that the holder is alive. Returns false if it has lost the cohort and should stop.
      #: (Integer, String) -> bool
      def heartbeat(cohort_id, token)
        mine = cohort_rows.where(id: cohort_id, state: "running", token:)
        watch { mine.update(heartbeat_ms: now_ms) == 1 }
      end

      # `state` is done or failed; `host` what was recorded about the host during the cohort. Raises
      # StoreError if the claim was lost.
      #: (Integer, String | Symbol, ?token: String?, ?host: Hash[Symbol, untyped]?) -> void
      def finish_cohort(cohort_id, state, token: nil, host: nil)
        raise ArgumentError, "a cohort does not end as #{state}" unless ENDS.include?(state.to_s)

        mine = cohort_rows.where({ id: cohort_id, state: "running", token: }.compact)
        ended = ROW.pack({ state:, finished_ms: now_ms, host: }.compact)
        return if watch { mine.update(ended) } == 1

        raise StoreError, "another mohs took over cohort #{cohort_id} after its heartbeat " \
                          "stopped. The other's results count; these are dropped."
      end

      # Stores the look that was taken after this cohort. A look stored earlier stays.
      #: (Integer, Hash[Symbol, untyped]) -> void
      def keep_look(cohort_id, look)
        new = cohort_rows.where(id: cohort_id, look: nil)
        watch { new.update(ROW.pack({ look: })) }
      end

      # Queues again the run's cohorts whose runner has been silent for `older_than_s`, or is dead
      # according to the block, which gets the token (a process of this host can be looked up).
      # Their started trials become lost. Returns the cohorts' ids.
      #: (Integer, ?older_than_s: Numeric) ?{ (String) -> bool } -> Array[Integer]
      def release_stale(run_id, older_than_s: STALE_S)
        oldest = now_ms - (older_than_s * 1000).to_i
        transaction do
          held = cohort_rows.where(run_id:, state: "running").select(:id, :token, :heartbeat_ms).all
          stale = held.select do |row|
            row[:heartbeat_ms] < oldest || (block_given? && yield(row[:token]))
          end
          released = stale.select { |row| free(row) }.map { |row| row[:id] }
          lose_trials(released)
          released
        end
      end

      # Queues a cohort again, whoever holds it: the caller knows that the holder is gone. Its
      # started trials become lost, and a holder that is alive after all can't write results
      # (finish_cohort).
      #: (Integer) -> void
      def take_back(cohort_id)
        transaction do
          held = cohort_rows.where(id: cohort_id, state: "running")
          lose_trials([cohort_id]) if held.update(state: "queued", token: nil) == 1
        end
      end

      private

      def cohort_rows = @database[:cohorts]

      def cohorts_of(run_id) = cohort_rows.where(run_id:).order(:position)

      # One row for each cohort of a plan, in its order; `spec` is the plan's entry for it.
      def queue_cohorts(run_id, cohorts)
        cohorts.each_with_index { |spec, position| queue_cohort(run_id, position, spec) }
      end

      def queue_cohort(run_id, position, spec)
        row = ROW.pack({ run_id:, position:, round: spec.fetch(:round), spec: })
        cohort_rows.insert(**row, state: "queued")
      end

      # specs: { position => the plan's entry }.
      def requeue_cohorts(run_id, specs)
        queued = cohort_rows.where(run_id:, state: "queued")
        cut = queued.exclude(position: specs.keys)
        cut.where(id: trial_rows.select(:cohort_id)).update(state: "failed") # every trial has a row
        cut.delete
        queued.select_map(:position).each do |position|
          queued.where(position:).update(ROW.pack({ spec: specs.fetch(position) }))
        end
        new = specs.except(*cohort_rows.where(run_id:).select_map(:position))
        new.each { |position, spec| queue_cohort(run_id, position, spec) }
      end

      # Compares the heartbeat that was read: a runner that has sent another since keeps the cohort.
      def free(seen)
        cohort_rows.where(**seen, state: "running").update(state: "queued", token: nil) == 1
      end
    end
  end
end
