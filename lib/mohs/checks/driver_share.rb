# frozen_string_literal: true

module Mohs
  module Checks
    # A load generator that is busy itself measures itself.
    class DriverShare < Base
      # Shares of its core (issue of the first measurement; the method's section 6 warns above a
      # half).
      BOUND = 0.85
      NEAR = 0.5

      private

      def needs = %i[slices threads]

      def judge
        return unknown("nothing was measured") if measured.empty?

        share = total(:driver_cpu_ns).fdiv(total(:wall_ns) * @facts[:threads])
        return invalid("client-bound: the driver took #{whole(share)} of its core") if share > BOUND
        return warn("the driver took #{whole(share)} of its core") if share > NEAR

        pass("#{whole(share)} of its core")
      end

      def whole(share) = "#{(share * 100).round} %"
    end
  end
end
