# frozen_string_literal: true

module Mohs
  class Store
    # The table of cohorts: what is to run, who runs it, how it ended. Who runs a cohort holds a
    # claim: a token of its own and a heartbeat. Every change of hands is one UPDATE with the old
    # state in its WHERE, so the database decides between processes and hosts.
    class Cohorts
      ROW = Row.new(
        columns: %i[id run_id position round state token heartbeat_ms started_ms finished_ms],
        json: %i[spec host],
      )
      ENDS = %w[done failed].freeze

      #: (Sequel::Database, clock: Module) -> void
      def initialize(database, clock:)
        @table = database[:cohorts]
        @clock = clock
      end

      # One row for each cohort of a plan, in its order; `spec` is all that the plan says of it.
      #: (Integer, Array[Hash[Symbol, untyped]]) -> void
      def add(run_id, cohorts)
        cohorts.each_with_index do |spec, index|
          row = { run_id: run_id, position: index, round: spec.fetch(:round), spec: spec }
          @table.insert(ROW.pack(row).merge(state: "queued"))
        end
      end

      #: (Integer) -> Array[Store::Cohort]
      def of(run_id) = @table.where(run_id: run_id).order(:position).map { |row| typed(row) }

      #: (Integer) -> Store::Cohort
      def find(id)
        row = @table.first(id: id)
        return typed(row) if row

        raise StoreError, "no cohort #{id} in the store: was its run deleted?"
      end

      # The first that nobody has taken yet, or nil.
      #: (Integer) -> Store::Cohort?
      def next_of(run_id)
        row = @table.where(run_id: run_id, state: "queued").order(:position).first
        row && typed(row)
      end

      # true for exactly one caller.
      #: (Integer, String) -> bool
      def claim(id, token)
        now = @clock.real_ms
        taken = { state: "running", token: token, heartbeat_ms: now, started_ms: now }
        @table.where(id: id, state: "queued").update(taken) == 1
      end

      # false when the claim is lost.
      #: (Integer, String) -> bool
      def heartbeat(id, token)
        mine = @table.where(id: id, state: "running", token: token)
        mine.update(heartbeat_ms: @clock.real_ms) == 1
      end

      #: (Integer, String | Symbol, token: String?, host: Hash[Symbol, untyped]?) -> void
      def finish(id, state, token:, host:)
        raise ArgumentError, "a cohort does not end as #{state}" unless ENDS.include?(state.to_s)

        mine = @table.where({ id: id, state: "running", token: token }.compact)
        ended = ROW.pack({ state: state, finished_ms: @clock.real_ms, host: host }.compact)
        return if mine.update(ended) == 1

        raise StoreError, "cohort #{id} is not ours any more: it was silent for too long and " \
                          "another mohs took it over. Its results count; these are dropped."
      end

      # Those whose runner is silent for longer than `older_than_s`, or dead by the block's word on
      # its token, wait to be run again. Their numbers.
      #: (Integer, older_than_s: Numeric) ?{ (String) -> bool } -> Array[Integer]
      def release_stale(run_id, older_than_s:)
        oldest = @clock.real_ms - (older_than_s * 1000).to_i
        held = @table.where(run_id: run_id, state: "running").select(:id, :token, :heartbeat_ms).all
        stale = held.select do |row|
          row[:heartbeat_ms] < oldest || (block_given? && yield(row[:token]))
        end
        stale.select { |row| free(row) }.map { |row| row[:id] }
      end

      private

      def typed(row) = Cohort.of(ROW.unpack(row))

      # With the heartbeat that was seen: who has shown life since we looked keeps the cohort.
      def free(seen)
        @table.where(**seen, state: "running").update(state: "queued", token: nil) == 1
      end
    end
  end
end
