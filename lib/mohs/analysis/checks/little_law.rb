# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Little's law: in a closed loop, throughput times mean service time is the number of
      # connections. If it isn't, the generator itself waited somewhere, and its figures are not the
      # server's (method, section 3g).
      class LittleLaw < Base
        # 1 - X R / C of 3719 slices lay within 1 % in all but one of a hundred.
        TOLERANCE = 0.02

        IDLE = "the number of connections, %{connections|count}: the load generator did not " \
               "keep them busy"

        SIZE = :gap

        WORDS = {
          open_loop: "an open loop does not keep its connections busy",
          failures: "failed requests have no service time",
          holds: "holds: %{gap|percent}",
          below: "throughput x service time is %{gap|percent} below #{IDLE}",
          above: "throughput x service time is %{gap|percent} above #{IDLE}",
        }.freeze

        private

        def needs = %i[slices connections]

        # A latency counts from when its connection was free, so opening one again is within it.
        def judge
          return unknown(:unmeasured) if total(:good).zero?
          return unknown(:open_loop) if open_loops.any?
          return unknown(:failures) if errors_of(measured).any?

          gap = 1 - (total(:latency_sum_ns).to_f / total(:wall_ns) / asked)
          return pass(:holds, gap: gap.abs) if gap.between?(-TOLERANCE, TOLERANCE + drain)

          warn(gap.positive? ? :below : :above, gap: gap.abs, connections: asked)
        end

        def asked = facts[:connections][:asked]

        # A slice ends with the last response to what is under way: until then the other connections
        # are idle, at most for one service time each. It matters if a slice holds few requests.
        def drain
          service_ns = total(:latency_sum_ns).fdiv(total(:good))
          slice_ns = total(:wall_ns).fdiv(measured.size)
          (asked - 1).fdiv(asked) * service_ns / slice_ns
        end
      end
    end
  end
end
