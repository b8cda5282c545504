# frozen_string_literal: true

module Mohs
  class Store
    # The part of Store for the tables of trials (a row from the moment a server is to be started,
    # however the trial ends) and of their slices (one for each Load::StepResult).
    module Trials
      ROW = Row.new(
        columns: %i[id cohort_id ordinal variant state reason log_tail started_ms boot_ns
                    requests],
        facts: true,
      )
      # Integer columns of a slice; nil if unknown.
      SLICE_COUNTS = %i[started_ns wall_ns span_ns sent completed good bytes latency_sum_ns p50_ns
                        max_ns cpu_ns driver_cpu_ns].freeze
      SLICE = Row.new(
        columns: [*%i[id trial_id block position warm_up], *SLICE_COUNTS],
        json: %i[errors],
        facts: true,
      )
      ENDS = %w[measured refused failed invalid lost].freeze

      # Names of the variants that are not tried again: refused or invalid in a cohort of this run
      # (Trial#given_up?). One that was measured at least as often as it was refused is not: that
      # was chance, and without its baseline a run has no interval. Nor is one whose rate still rose
      # by chance (Trial.rise_by_chance?), unless its warm-up takes minutes.
      #: (Integer) -> Array[String]
      def given_up(run_id)
        rows = trials_of(run_id).where(state: Trial::GIVEN_UP)
        ended = watch { rows.all.map { |row| Trial.of(ROW.unpack(row)) } }
        ended = ended.select(&:given_up?).group_by(&:variant)
        return [] if ended.empty?

        served = outcomes(run_id).select(&:measured?).map(&:variant).tally
        ended.reject { |name, trials| chance?(trials, served[name].to_i) }.keys.sort
      end

      # How each trial of the run has ended so far, in order: only variants and states.
      #: (Integer) -> Array[Store::Trial]
      def outcomes(run_id)
        rows = trials_of(run_id).order(:cohort_id, :ordinal).select(:variant, :state)
        watch { rows.map { |row| Trial.of(row) } }
      end

      # Called before the server is spawned, so that every trial leaves a row. Returns the trial's
      # id.
      #: (Integer, String) -> Integer
      def start_trial(cohort_id, variant)
        transaction do
          ordinal = (trial_rows.where(cohort_id:).max(:ordinal) || 0) + 1
          trial_rows.insert(cohort_id:, variant: Plain.call(variant), ordinal:, state: "started",
                            started_ms: now_ms)
        end
      end

      # `state` is measured, refused, failed, invalid or lost; any other fact is stored under its
      # key, a Reason also by its parts. A trial ends once: raises StoreError if it has already
      # ended.
      #: (Integer, Hash[Symbol, untyped]) -> void
      def finish_trial(trial_id, facts)
        state = facts.fetch(:state).to_s
        raise ArgumentError, "a trial does not end as #{state}" unless ENDS.include?(state)

        reason = facts[:reason]
        parts = { reason_parts: reason.to_h.compact } if reason.is_a?(Reason)
        row = ROW.pack({ **facts, **parts.to_h })
        return if watch { trial_rows.where(id: trial_id, state: "started").update(row) } == 1

        found = watch { trial_rows.where(id: trial_id).get(:state) } || "no such row"
        raise StoreError, "trial #{trial_id} has ended before (#{found}): another mohs took its " \
                          "cohort over. Its results count; these are dropped."
      end

      # Each slice has :block and :position; a slice without a block is warm-up.
      #: (Integer, Array[Hash[Symbol, untyped]]) -> void
      def add_slices(trial_id, slices)
        rows = slices.map { |slice| SLICE.pack({ **slice, warm_up: !slice[:block] }) }
        transaction { rows.each { |row| slice_rows.insert(**row, trial_id:) } }
      end

      private

      def trial_rows = @database[:trials]
      def slice_rows = @database[:slices]
      def trials_of(run_id) = trial_rows.where(cohort_id: cohorts_of(run_id).unordered.select(:id))

      # May the next boot of a variant be right that ended so, and was measured so many times?
      def chance?(trials, measured)
        rose, others = trials.partition(&:once_more?)
        rounds = rose.map(&:cohort_id).uniq.size # what disturbed one in a round disturbed all
        others.all?(&:refused?) && others.size <= measured &&
          Trial.rise_by_chance?(rounds, rounds + measured)
      end

      # Marks the started trials of cohorts whose runner is gone as lost.
      def lose_trials(cohort_ids)
        lost = { state: "lost", reason: "the mohs that ran it ended before the trial did" }
        trial_rows.where(cohort_id: cohort_ids, state: "started").update(lost)
      end

      # The run's trials with their slices, both in chronological order, in two queries; without
      # those of some cohorts.
      def loaded_trials(run_id, except: [])
        rows = trials_of(run_id).exclude(cohort_id: except).order(:cohort_id, :ordinal)
        trials = rows.map { |row| ROW.unpack(row) }
        slices = slice_rows.where(trial_id: trials.map { |row| row[:id] }).order(:id)
        slices = slices.map { |row| Slice.of(SLICE.unpack(row)) }.group_by(&:trial_id)
        trials.map { |row| Trial.of(row, slices: slices.fetch(row[:id], [])) }
      end
    end
  end
end
