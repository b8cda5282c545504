# frozen_string_literal: true

module Mohs
  module Checks
    # A load generator that is busy itself measures itself: over the whole, or in parts of it that
    # the percentiles then tell of.
    class DriverShare < Base
      # Shares of its core (issue of the first measurement; the method's section 6 warns above a
      # half). Those of a window are the core's (core/pulse.h).
      BOUND = 0.85
      NEAR = 0.5
      # Of the windows, above a bound: from there on a 99th percentile may lie in them. One alone is
      # chance, in a short load as in a long one.
      TAIL = 0.01
      FEWEST = 3

      private

      def needs = %i[slices threads]

      def judge
        return unknown("nothing was measured") if measured.empty?
        return unknown("it spins between requests: its core is taken whole") if spins?

        share = total(:driver_cpu_ns).fdiv(total(:wall_ns) * @facts[:threads])
        return invalid("client-bound: the driver took #{whole(share)} of its core") if share > BOUND
        return warn(told(:full, BOUND, "client-bound at times: ")) if in_tail?(:full)
        return warn("the driver took #{whole(share)} of its core") if share > NEAR
        return warn(told(:busy, NEAR)) if in_tail?(:busy)

        pass("#{whole(share)} of its core")
      end

      def spins? = pulses.any? { |pulse| pulse[:spins] }

      def in_tail?(kind) = of_pulses(kind) > [TAIL * of_pulses(:windows), FEWEST - 1].max

      def told(kind, bound, how = "")
        count, windows = of_pulses(kind), of_pulses(:windows)
        "#{how}in #{count} of #{windows} tenths of a second the driver took more than " \
          "#{whole(bound)} of its core, and the slowest answers may be those"
      end

      def whole(share) = "#{(share * 100).round} %"
    end
  end
end
