# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # When requests fall due on each target of an open loop's step, independently of the server:
    #   kind        :constant, :poisson (exponentially distributed gaps), or :times
    #   rate_per_s  requests per second at the start of the step
    #   to_per_s    at its end: the rate changes linearly (only in a step by duration)
    #   burst       this many fall due together, rate_per_s / burst times per second (1)
    #   seed        for :poisson: the same seed gives the same times, whatever the number of threads
    #   times       for :times: ns since the step began, ascending
    Arrivals = Struct.new(:kind, :rate_per_s, :to_per_s, :burst, :seed, :times,
                          keyword_init: true) do
      #: (kind: Symbol, ?rate_per_s: Numeric?, ?to_per_s: Numeric?, ?burst: Integer, ?seed: Integer, ?times: Array[Integer]?) -> void
      def initialize(kind:, rate_per_s: nil, to_per_s: nil, burst: 1, seed: 0, times: nil)
        super(kind:, rate_per_s:, to_per_s: to_per_s || rate_per_s, burst:, seed:,
              times: times.dup.freeze)
        kind == :times ? verify_times : verify_rates
        freeze
      end

      #: () -> bool
      def ramp? = rate_per_s != to_per_s

      # The facts of a result about its arrivals: the schedule, but not each time.
      #: () -> { kind: String, rate_per_s: Numeric?, to_per_s: Numeric?, burst: Integer }
      def facts = { kind: kind.to_s, rate_per_s:, to_per_s: (to_per_s if ramp?), burst: }

      # All due times of a step, in ns since it began: at most `count`, and below `duration_ns` if
      # one is given. On a target with an index other than 0, :poisson has other times.
      #: (?duration_ns: Integer?, ?count: Integer?) -> Array[Integer]
      def due_ns(duration_ns: nil, count: nil)
        raise ArgumentError, "a duration or a count" unless duration_ns || count || times
        raise ArgumentError, "a ramp needs a duration" if ramp? && !duration_ns

        count ||= times&.size || ((1 << 64) - 1)
        Core.due_times(packed, duration_ns || 0, count).unpack("Q*")
      end

      # The form that Core::Engine takes.
      #: () -> { kind: Symbol, rate_per_s: Float, to_per_s: Float, burst: Integer, seed: Integer, times: String }
      def packed
        { kind:, rate_per_s: rate_per_s.to_f,
          to_per_s: to_per_s.to_f, burst:, seed: seed & 0xffff_ffff_ffff_ffff,
          times: (times || []).pack("Q*") }
      end

      private

      def verify_rates
        raise ArgumentError, "#{kind.inspect} is none of #{Core::ARRIVALS_KINDS.join(', ')}" unless
          Core::ARRIVALS_KINDS.include?(kind)
        raise ArgumentError, "only arrivals of kind :times have times" if times

        rates = [rate_per_s, to_per_s].all? { |rate| rate.is_a?(Numeric) && rate.to_f.finite? }
        return if rates && rate_per_s.positive? && !to_per_s.negative? && burst.positive?

        raise ArgumentError, "arrivals have a rate and a burst above 0: #{self}"
      end

      def verify_times
        raise ArgumentError, "arrivals by times have no rate and no bursts" if
          rate_per_s || burst != 1

        ordered = times && !times.empty? && !times.first.negative? &&
                  times.each_cons(2).all? { |before, after| before <= after }
        return if ordered

        raise ArgumentError, "times are ns since the step began, one or more, ascending"
      end
    end
  end
end
