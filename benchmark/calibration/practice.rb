# frozen_string_literal: true

module Mohs
  module Calibration
    # What people do today, for comparison: long runs of the same server one after the other, each
    # freshly booted, with load and server left to the scheduler (30 x 30 000 requests is the plan
    # of the published studies).
    class Practice
      REQUESTS = 30_000
      RUNS = 6

      #: (server: Calibration::Server, ?requests: Integer, ?runs: Integer) -> void
      def initialize(server:, requests: REQUESTS, runs: RUNS)
        @server = server
        @requests = requests
        @runs = runs
      end

      # { kind:, runs: [{ rate:, cpu_us:, wall_s: }] }, wall_s from before the boot to the end.
      #: () -> Hash[Symbol, untyped]
      def call = { kind: "practice", runs: Array.new(@runs) { run } }

      private

      def run
        started = Clock.mono_ns
        result, = @server.run { |server| server.load(count: @requests) }
        { rate: Load.rate_per_s([result]), cpu_us: result.cpu_ns / 1e3 / result.good,
          wall_s: (Clock.mono_ns - started) / 1e9 }
      end
    end
  end
end
