# frozen_string_literal: true

module Mohs
  module DriverBenchmark
    # Memory for recording ten million requests, and the time until the first one is sent.
    class Footprint
      COUNT = 10_000_000
      STARTS = 20

      #: (Bench) -> void
      def initialize(bench)
        @bench = bench
      end

      #: (Table) -> void
      def call(table)
        alone { memory(table) }
        table.at_most("from the call to the first request sent, inside a running Ruby", 20,
                      starts[STARTS / 2] / 1e6, "(median of #{STARTS})", unit: "ms")
      end

      private

      # Runs the block in its own process, so that the peak memory is its own.
      def alone
        ::Process.wait(fork { yield.then { exit!(0) } })
      end

      def memory(table)
        before = peak_bytes
        @bench.driver(32, :on, capacity: COUNT) do |driver|
          driver.run([Load::Step.new(count: COUNT)])
          size = driver.recording(0).size
          table.at_most("memory of a recorded request, of #{size / 1_000_000} million", 34,
                        (peak_bytes - before).fdiv(size), unit: "bytes")
          encoded(table, driver.recording(0))
        end
      end

      # Writing it to the store must not double the memory.
      def encoded(table, recording)
        bytes = recording.encode.bytesize.fdiv(recording.size)
        table.at_most("peak of the process that recorded, and encoded, them", 400,
                      peak_bytes / 1e6, "(#{bytes.round(2)} bytes a request stored)", unit: "MB")
      end

      def peak_bytes = File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i * 1024

      def starts
        Array.new(STARTS) do
          called = Clock.mono_ns
          @bench.driver(1, :on) do |driver|
            driver.run([Load::Step.new(count: 1)])
            first = driver.recording(0).each.first
            break driver.epoch_ns + first.due_ns + first.sent_ns - called
          end
        end.sort
      end
    end
  end
end
