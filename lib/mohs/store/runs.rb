# frozen_string_literal: true

require "securerandom"

module Mohs
  class Store
    # The table of runs, each found by its number or by the first characters of its key.
    class Runs
      ROW = Row.new(
        columns: %i[id key state app created_ms finished_ms],
        json: %i[study plan fingerprint provenance],
      )
      KEY_BYTES = 2  # 4 hex characters: enough to be typed, and to tell a person's runs apart
      NEWEST = 5     # runs named where one is not found
      ENDS = %w[finished interrupted failed].freeze

      #: (Sequel::Database, clock: Module) -> void
      def initialize(database, clock:)
        @database = database
        @table = database[:runs]
        @clock = clock
      end

      # Number of the new row.
      #: (Hash[Symbol, untyped]) -> Integer
      def add(values)
        row = ROW.pack(values).merge(key: free_key, state: "planned", created_ms: @clock.real_ms)
        @table.insert(row)
      end

      #: (Integer | String) -> Store::Run
      def find(key_or_id)
        rows = matching(key_or_id).limit(2).all
        return typed(rows.first) if rows.one?

        raise UsageError, rows.empty? ? unknown(key_or_id) : ambiguous(key_or_id)
      end

      # Newest first.
      #: () -> Array[Store::Run]
      def all = newest.map { |row| typed(row) }

      # One of its cohorts has been claimed.
      #: (Integer) -> void
      def began(id) = @table.where(id: id).update(state: "running", finished_ms: nil)

      #: (Integer, String | Symbol) -> void
      def finish(id, state)
        raise ArgumentError, "a run does not end as #{state}" unless ENDS.include?(state.to_s)

        @table.where(id: id).update(state: state.to_s, finished_ms: @clock.real_ms)
      end

      private

      def typed(row) = Run.of(ROW.unpack(row))

      def newest = @table.reverse(:id)

      def matching(key_or_id)
        return @table.where(id: key_or_id) if key_or_id.is_a?(Integer)

        prefix = key_or_id.to_s.downcase
        exact = @table.where(key: prefix)
        exact.empty? ? newest.where(Sequel.like(:key, "#{@table.escape_like(prefix)}%")) : exact
      end

      def unknown(key)
        known = newest.limit(NEWEST).select_map(:key)
        return "no run #{key}: nothing has been measured yet. Type mohs." if known.empty?

        "no run begins with #{key.inspect}. The newest are #{known.join(', ')} (mohs list)."
      end

      def ambiguous(key)
        keys = matching(key).limit(NEWEST).select_map(:key)
        "several runs begin with #{key.inspect}: #{keys.join(', ')}. Type more of the key."
      end

      # Longer where short keys have run out; the unique index decides between two processes.
      def free_key
        (KEY_BYTES..).each do |bytes|
          keys = Array.new(8) { SecureRandom.hex(bytes) }
          free = keys - @table.where(key: keys).select_map(:key)
          return free.first if free.any?
        end
      end
    end
  end
end
