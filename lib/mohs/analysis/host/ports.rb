# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # Port numbers that the kernel gives to our connections: each has one, and where connections
      # don't last each request has. They must not be those that mohs gives to servers, or one would
      # be gone when its server comes to bind it.
      class Ports < Base
        LABEL = "ports"
        UNIT = "ports"
        LIMITS = Limits.new(warn: 16_384, bad: 4_096)
        FIX = "sudo mohs doctor --fix (undo: sudo mohs doctor --undo)"

        WORDS = {
          counted: "%{value|count} ports for connections, %{low} to %{high}",
          overlap: "the ports for connections, %{low} to %{high}, overlap with those for servers",
          unknown: "the range of ports can't be read",
        }.freeze
        REMEDIES = { counted: FIX, overlap: FIX }.freeze

        private

        def judge
          low, high = facts[:ports]
          return unknown unless high

          value = high - low + 1
          return warn(:overlap, value:, low:, high:) if low <= facts[:server_ports].end

          measured(LIMITS, :counted, value, low:, high:)
        end
      end
    end
  end
end
