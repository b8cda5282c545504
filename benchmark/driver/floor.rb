# frozen_string_literal: true

require_relative "../../test/support/c_build"

module Mohs
  module DriverBenchmark
    # The cost of the bare system calls of a request on a keep-alive connection (floor.c): no
    # single-threaded client can beat it on this machine.
    class Floor
      PROGRAM = CBuild.new.alone("benchmark/driver/floor.c")

      #: (cpu: Integer, seconds: Integer) -> void
      def initialize(cpu:, seconds:)
        @cpu = cpu
        @seconds = seconds
      end

      # place: a port, or the path of a unix socket. per_s: rate of an open loop.
      #: (Integer | String, Integer, ?per_s: Integer) -> Bench::Figure
      def call(place, connections, per_s: 0)
        words = [@cpu, place, connections, @seconds * 1000, per_s]
        answers, cpu_ns = IO.popen([PROGRAM, *words.map(&:to_s)], &:read).split.map(&:to_f)
        raise "floor #{words.join(' ')} failed" unless $?.success?

        Bench::Figure.new(us: cpu_ns / 1e3 / answers, per_s: answers / @seconds)
      end
    end
  end
end
