# frozen_string_literal: true

module Mohs
  class Store
    # The part of Store for the table of points, each the place of one run in a history (mohs
    # track). A point has all that a history needs, so that drawing a history reads no runs.
    module Points
      POINT_ROW = Row.new(columns: %i[track run_id at_ms], facts: true)

      # Stores the point of a run, replacing an earlier one. facts: what else a history needs of it,
      # plain data.
      #: (String, run_id: Integer, at_ms: Integer, **untyped) -> void
      def add_point(track, run_id:, at_ms:, **facts)
        row = POINT_ROW.pack({ track:, run_id:, at_ms:, **facts })
        transaction do
          point_rows.where(run_id:).delete
          point_rows.insert(row)
        end
      end

      # The points of a history, in the order in which they were measured: `id`, `track`, `run_id`
      # (nil: the run was deleted), `at_ms` and the facts.
      #: (String) -> Array[Hash[Symbol, untyped]]
      def points(track)
        watch do
          point_rows.where(track:).order(:at_ms, :id).map do |row|
            row = POINT_ROW.unpack(row)
            { **row[:facts].to_h, **row.except(:facts) }
          end
        end
      end

      # What changes when any history gets a point, or a point is replaced; nil without any.
      #: () -> Integer?
      def newest_point = watch { point_rows.max(:id) }

      # { name of a history => its number of points }, the history with the newest point first.
      #: () -> Hash[String, Integer]
      def tracks
        newest = Sequel.function(:max, :at_ms)
        count = Sequel.function(:count, :id).as(:points)
        watch do
          point_rows.group(:track).order(Sequel.desc(newest), :track).select_map([:track, count])
                    .to_h
        end
      end

      private

      def point_rows = @database[:points]
    end
  end
end
