# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Connections that were closed in the last minute still hold their ports: the share of the
      # ports for connections that is taken by them. (Those to other addresses count too, so it is
      # an upper bound.)
      class TimeWait < Base
        LABEL = "TIME_WAIT"
        UNIT = SHARE
        LIMITS = { warn: 0.25, bad: 0.75 }.freeze

        private

        def judge
          waiting = reader.text("proc/net/sockstat")&.slice(/^TCP:.*\btw (\d+)/, 1)&.to_i
          low, high = reader.text(Ports::FILE)&.split&.map(&:to_i)
          return unknown("/proc/net/sockstat can't be read") unless waiting && high

          share = waiting.fdiv(high - low + 1)
          graded(share, "#{waiting} closed connections hold #{percent(share)} of the ports",
                 remedy: "wait a minute before you measure")
        end
      end
    end
  end
end
