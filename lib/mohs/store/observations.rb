# frozen_string_literal: true

require "mohs/core"

module Mohs
  class Store
    # The table of observations, the encoded records of a trial (Core::Codec), cut between frames
    # into parts that no database finds too large; and the table of profiles: that part of a store.
    module Observations
      PART_BYTES = 4 << 20 # a statement of PostgreSQL's holds a part some three times in memory

      # `encoded` by Core::Codec, all of a trial's or the next part of them; `count` of the records
      # in it, which is held against what the frames say.
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

      # Encoded, whole: one String for Core::Codec.decode.
      #: (Integer) -> String
      def observations(trial_id)
        parts = watch { observation_rows.where(trial_id:).order(:part).select_map(:data) }
        parts.inject("".b) { |whole, part| whole << part }
      end

      # Yields them part by part, each to be used at once: whole frames, some megabytes. Raises
      # StoreError if somebody deletes them meanwhile.
      #: (Integer) { (String) -> void } -> void
      def each_observations(trial_id)
        parts = observation_rows.where(trial_id:)
        watch { parts.select_order_map(:part) }.each do |part|
          data = watch { parts.where(part:).get(:data) }
          yield data || raise(StoreError, "recorded requests were deleted while they were read.")
        end
      end

      # As Profile#dump gives it.
      #: (Integer, String) -> void
      def add_profile(trial_id, data)
        watch { @database[:profiles].insert(trial_id:, data: Sequel.blob(data)) }
      end

      # nil if no samples of its stacks were taken.
      #: (Integer) -> String?
      def profile(trial_id) = watch { @database[:profiles].where(trial_id:).get(:data) }

      private

      def observation_rows = @database[:observations]

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
        row = { trial_id:, part:, count:, data: Sequel.blob(data) }
        bound = row.to_h { |name, _| [name, :"$#{name}"] }
        @insert ||= observation_rows.prepare(:insert, :add_observations, bound)
        @insert.call(row)
      end
    end
  end
end
