# frozen_string_literal: true

require "zlib"

module Mohs
  module Exporters
    # Counts of times with three significant digits, in HdrHistogram's encoding V2
    # (hdrhistogram.org). Values below 2048 fall into 2048 equal steps; values between a power of
    # two and the next fall into 1024.
    class HdrHistogram
      DIGITS = 3
      LOWEST = 1 # the smallest difference recorded, in ns
      HIGHEST = 3_600_000_000_000 # an hour in ns: more than a record's 18 minutes
      # Steps below 2 * 10**DIGITS are one wide: 2**STEP_BITS is the power of two that holds them.
      STEP_BITS = 11
      HALF = 1 << (STEP_BITS - 1)

      COOKIE = 0x1c84_9313 # 0x1c849303: V2; 0x10: counts as ZigZag LEB128
      COMPRESSED = 0x1c84_9314 # the same, deflated
      RATIO = 1.0 # ratio of stored integers to values

      # The largest recorded value; 0 if there is none.
      attr_reader :max

      #: () -> void
      def initialize
        @counts = Hash.new(0)
        @max = 0
      end

      #: (Integer) -> void
      def record(value)
        @counts[self.class.index(value)] += 1
        @max = value if value > @max
      end

      # The index of a value's count.
      #: (Integer) -> Integer
      def self.index(value)
        shift = [value.bit_length - STEP_BITS, 0].max
        ((shift + 1) * HALF) + (value >> shift) - HALF
      end

      # The compressed form in base64, as in a log.
      #: () -> String
      def to_base64
        deflated = Zlib::Deflate.deflate(encode)
        [[COMPRESSED, deflated.bytesize].pack("l>l>") + deflated].pack("m0")
      end

      # Header and counts, uncompressed.
      #: () -> String
      def encode
        payload = counts_text
        [COOKIE, payload.bytesize, 0, DIGITS, LOWEST, HIGHEST, RATIO].pack("l>4q>2G") + payload
      end

      private

      # The counts from index 0 to the last one used: counts as they are, a single zero as 0, a
      # longer run of zeros as its negated length. A single 0 if nothing was counted.
      def counts_text
        return ZigZag.leb128(0) if @counts.empty?

        last = -1
        @counts.sort.map { |index, count|
          zeros = index - last - 1
          last = index
          "#{ZigZag.leb128(zeros == 1 ? 0 : -zeros) if zeros.positive?}#{ZigZag.leb128(count)}".b
        }.join
      end

      # Signed numbers as HdrHistogram writes them (ZigZag LEB128): small numbers of either sign
      # stay short; seven bits per byte, the lowest first; a ninth byte holds eight.
      module ZigZag
        MOST = 9

        #: (Integer) -> String
        def self.leb128(number)
          rest = number.negative? ? (-number << 1) - 1 : number << 1
          bytes = []
          while rest > 0x7f && bytes.size < MOST - 1
            bytes << ((rest & 0x7f) | 0x80)
            rest >>= 7
          end
          [*bytes, rest].pack("C*")
        end
      end
    end
  end
end
