# frozen_string_literal: true

require "mohs/core"

module Mohs
  class Store
    # The part of Store for the table of observations, a trial's encoded records (Core::Codec),
    # split between frames into parts small enough for every database; and for the table of
    # profiles.
    module Observations
      PART_BYTES = 4 << 20 # a PostgreSQL statement holds a part about three times in memory

      # encoded: all of a trial's records, or the next part of them, encoded by Core::Codec. count:
      # the number of records in it, checked against the frames.
      #: (Integer, String, Integer) -> void
      def add_observations(trial_id, encoded, count)
        frames = Core::Codec.frames(encoded)
        found = frames.sum(&:last)
        raise ArgumentError, "#{count} observations given, #{found} encoded" unless found == count

        transaction do
          first = (observation_rows.where(trial_id:).max(:part) || 0) + 1
          parts(frames).each.with_index(first) do |(range, size), part|
            insert(trial_id, part, size, encoded.byteslice(range))
          end
        end
      end

      # All of a trial's encoded records as one String for Core::Codec.decode.
      #: (Integer) -> String
      def observations(trial_id)
        parts = watch { observation_rows.where(trial_id:).order(:part).select_map(:data) }
        parts.inject("".b) { |whole, part| whole << part }
      end

      # Yields a trial's encoded records part by part; a part has whole frames, some megabytes, and
      # is meant to be used before the next. Raises StoreError if the records are deleted meanwhile.
      #: (Integer) { (String) -> void } -> void
      def each_observations(trial_id)
        parts = observation_rows.where(trial_id:)
        watch { parts.select_order_map(:part) }.each do |part|
          data = watch { parts.where(part:).get(:data) }
          yield data || raise(StoreError, "recorded requests were deleted while they were read.")
        end
      end

      # data: the result of Profile#dump.
      #: (Integer, String) -> void
      def add_profile(trial_id, data)
        watch { @database[:profiles].insert(trial_id:, data: Sequel.blob(data)) }
      end

      # Returns nil if the trial was not profiled.
      #: (Integer) -> String?
      def profile(trial_id) = watch { @database[:profiles].where(trial_id:).get(:data) }

      private

      def observation_rows = @database[:observations]

      # [[byte range, count] of each part]; a part has as many whole frames as fit.
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

      # A bound value: a literal would be written with two bytes for each byte, and parsed again.
      def insert(trial_id, part, count, data)
        row = { trial_id:, part:, count:, data: Sequel.blob(data) }
        bound = row.to_h { |name, _| [name, :"$#{name}"] }
        @insert ||= observation_rows.prepare(:insert, :add_observations, bound)
        @insert.call(row)
      end
    end
  end
end
