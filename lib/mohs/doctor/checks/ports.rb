# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Port numbers that the kernel gives to our connections: each has one, and where connections
      # don't last each request has. They must not be those that mohs gives to servers, or one would
      # be gone when its server comes to bind it.
      class Ports < Base
        LABEL = "ports"
        UNIT = "ports"
        FILE = "proc/sys/net/ipv4/ip_local_port_range"
        LIMITS = { warn: 16_384, bad: 4_096 }.freeze
        REMEDY = "sudo mohs doctor --fix (undo: sudo mohs doctor --undo)"

        private

        def judge
          low, high = reader.text(FILE)&.split&.map(&:to_i)
          return unknown("the range of ports can't be read") unless high

          count = high - low + 1
          return overlap(count, low, high) if low <= Process::Port::RANGE.end

          graded(count, "#{count} ports for connections, #{low} to #{high}", remedy: REMEDY)
        end

        def overlap(count, low, high)
          warn(count, "ports for connections, #{low} to #{high}, are those of servers too",
               remedy: REMEDY)
        end
      end
    end
  end
end
