# frozen_string_literal: true

module Mohs
  class Store
    # The table of trials: a row from the moment a server is to be started, whatever becomes of it.
    class Trials
      ROW = Row.new(
        columns: %i[id cohort_id ordinal variant state reason log_tail started_ms boot_ns
                    requests],
        facts: true,
      )
      ENDS = %w[measured refused failed invalid lost].freeze

      #: (Sequel::Database, clock: Module) -> void
      def initialize(database, clock:)
        @table = database[:trials]
        @clock = clock
      end

      # Its number.
      #: (Integer, String) -> Integer
      def start(cohort_id, variant)
        ordinal = (@table.where(cohort_id: cohort_id).max(:ordinal) || 0) + 1
        row = { cohort_id: cohort_id, variant: variant, ordinal: ordinal, state: "started" }
        @table.insert(ROW.pack(row.merge(started_ms: @clock.real_ms)))
      end

      # Ends a started trial with its facts; one without a column of its own is kept all the same. A
      # trial ends once.
      #: (Integer, Hash[Symbol, untyped]) -> void
      def finish(id, facts)
        state = facts.fetch(:state).to_s
        raise ArgumentError, "a trial does not end as #{state}" unless ENDS.include?(state)
        return if @table.where(id: id, state: "started").update(ROW.pack(facts)) == 1

        found = @table.where(id: id).get(:state) || "no such row"
        raise StoreError, "trial #{id} has ended before (#{found}): another mohs took its cohort " \
                          "over. Its results count; these are dropped."
      end

      # The started trials of cohorts whose runner is gone: they stay, as what they are.
      #: (Array[Integer]) -> void
      def lose(cohort_ids)
        lost = { state: "lost", reason: "the mohs that ran it ended before the trial did" }
        @table.where(cohort_id: cohort_ids, state: "started").update(lost)
      end

      # Names of the variants that could not be served in one of these cohorts.
      #: (Array[Integer]) -> Array[String]
      def refused(cohort_ids)
        out = @table.where(cohort_id: cohort_ids, state: Trial::OUT_OF_RACE)
        out.distinct.select_order_map(:variant)
      end

      # Those of these cohorts, in their order: of each its variant and its state alone.
      #: (Array[Integer]) -> Array[Store::Trial]
      def outcomes(cohort_ids)
        rows = @table.where(cohort_id: cohort_ids).order(:cohort_id, :ordinal)
        rows.select(:variant, :state).map { |row| Trial.of(row) }
      end

      #: (Array[Integer]) -> Array[Store::Trial]
      def of(cohort_ids)
        rows = @table.where(cohort_id: cohort_ids).order(:cohort_id, :ordinal)
        rows.map { |row| Trial.of(ROW.unpack(row)) }
      end
    end
  end
end
