# frozen_string_literal: true

require "mohs/core"

module Mohs
  class Store
    # The table of observations: the encoded records of a trial (Core::Codec), cut between frames
    # into parts that no database finds too large.
    class Observations
      PART_BYTES = 4 << 20 # a statement of PostgreSQL's holds a part some three times in memory

      #: (Sequel::Database) -> void
      def initialize(database)
        @table = database[:observations]
      end

      # Behind those which the trial has. `count` is held against what the frames say.
      #: (Integer, String, Integer) -> void
      def add(trial_id, encoded, count)
        frames = Core::Codec.frames(encoded)
        found = frames.sum(&:last)
        raise ArgumentError, "#{count} observations said, #{found} encoded" unless found == count

        first = (@table.where(trial_id: trial_id).max(:part) || 0) + 1
        parts(frames).each.with_index(first) do |(range, size), part|
          insert(trial_id, part, size, encoded.byteslice(range))
        end
      end

      # All of them, in one String for Core::Codec.decode.
      #: (Integer) -> String
      def of(trial_id)
        parts = @table.where(trial_id: trial_id).order(:part).select_map(:data)
        parts.inject("".b) { |whole, part| whole << part }
      end

      private

      # [[byte range, count] of each part]: whole frames, as many as fit.
      def parts(frames)
        at = 0
        frames.slice_when(&boundary).map do |group|
          bytes = group.sum(&:first)
          range = at...(at += bytes)
          [range, group.sum(&:last)]
        end
      end

      def boundary
        filled = 0
        lambda do |(bytes, _), (following, _)|
          filled += bytes
          (filled + following > PART_BYTES).tap { |full| filled = 0 if full }
        end
      end

      # A bound value: as a literal each byte would be written as two and parsed again.
      def insert(trial_id, part, count, data)
        row = { trial_id: trial_id, part: part, count: count, data: Sequel.blob(data) }
        bound = row.to_h { |name, _| [name, :"$#{name}"] }
        @insert ||= @table.prepare(:insert, :add_observations, bound)
        @insert.call(row)
      end
    end
  end
end
