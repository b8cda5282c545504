# frozen_string_literal: true

module Mohs
  module Load
    # Times counted by size while load runs, in 16 steps per power of two, as in
    # ext/mohs/core/times.h, so that a quantile is accurate to 3 %. For progress; reports are exact.
    class Times
      BITS = Core::TIME_BITS
      STEPS = 1 << BITS

      # From the core's packed counts.
      #: (String) -> Times
      def self.unpack(packed) = new(packed.unpack("Q<*"))

      # counts: number of times in each step.
      #: (Array[Integer]) -> void
      def initialize(counts)
        @counts = counts
      end

      #: () -> Integer
      def size = @counts.sum

      # The times added since `earlier`.
      #: (Times) -> Times
      def -(earlier) = Times.new(@counts.zip(earlier.counts).map { |now, before| now - before })

      # The times of both.
      #: (Times) -> Times
      def +(other) = Times.new(@counts.zip(other.counts).map(&:sum))

      # The middle of the step that holds the smallest time that this share of all did not exceed,
      # in ns; nil without any.
      #: (Float) -> Numeric?
      def quantile(share) = at([(share * size).ceil, 1].max)

      # [ns, whether it is a lower bound] at a share of all these and of `failed` requests, which
      # rank last, as in Recording#ranked: the longest known time is their lower bound.
      #: (Float, failed: Integer) -> [Numeric?, bool]
      def ranked(share, failed:)
        rank = [(share * (size + failed)).ceil, 1].max
        return [quantile(1.0), failed.positive?] if rank > size

        [at(rank), false]
      end

      protected

      attr_reader :counts

      private

      # The time at this rank, counted from 1.
      def at(rank)
        step = @counts.index { |count| (rank -= count) <= 0 } or return

        (lowest(step) + lowest(step + 1)) / 2.0
      end

      def lowest(step)
        return step if step < STEPS

        (STEPS + (step % STEPS)) << ((step >> BITS) - 1)
      end
    end
  end
end
