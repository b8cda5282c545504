# frozen_string_literal: true

module Mohs
  class Store
    # The table of slices: one row for each Load::StepResult of a trial.
    class Slices
      ROW = Row.new(
        columns: %i[id trial_id block position warm_up started_ns wall_ns sent completed good bytes
                    latency_sum_ns p50_ns max_ns cpu_ns driver_cpu_ns],
        json: %i[errors],
        facts: true,
      )

      #: (Sequel::Database) -> void
      def initialize(database)
        @table = database[:slices]
      end

      #: (Integer, Array[untyped]) -> void
      def add(trial_id, slices)
        slices.each { |slice| @table.insert(ROW.pack(slice).merge(trial_id: trial_id)) }
      end

      # In the order in which they were added, which is that of time.
      #: (Array[Integer]) -> Array[Store::Slice]
      def of(trial_ids)
        @table.where(trial_id: trial_ids).order(:id).map { |row| Slice.of(ROW.unpack(row)) }
      end
    end
  end
end
