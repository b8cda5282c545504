# frozen_string_literal: true

module Mohs
  module Cohort
    # How a load was spread over the processes of one server, by the CPU time of each. A server of
    # one process, and one whose processes are not known, has its load evenly.
    class Spread
      # Of an equal share, what a process has at least if the load is even (no more is asked where
      # connections are not counted: docs/method.md has what this lets pass); and what it may have
      # without any connection. One that has connections and stands still (a lock, a slow database)
      # is in between, unless it stands still for the whole step.
      LEAST = 0.5
      IDLE = 0.05

      # Less CPU time than this shows nothing.
      LEAST_CPU_NS = 5_000_000

      # Of some time, the CPU time of a process that computed all the while, on one core: less where
      # it shares that with the driver, and a little more if its CPU time is read before and after.
      FULL = (0.95..1.05)

      # CPU time of a request beside which opening its connection, at most 0.3 ms, is nothing.
      LEAST_CPU_OF_A_REQUEST_NS = 10_000_000

      # watched: the processes whose CPU time the results have, in their order. workers: those that
      # serve.
      #: (watched: Array[Integer], workers: Array[Integer]) -> void
      def initialize(watched:, workers:)
        @places = workers.filter_map { |pid| watched.index(pid) }
      end

      #: () -> Integer
      def processes = @places.size

      #: (Load::StepResult) -> bool
      def even?(result) = least(result) >= LEAST

      # Had a process no connection? Not if requests failed: then the load itself shows what is
      # wrong.
      #: (Load::StepResult) -> bool
      def idle?(result)
        sound?(result) && least(result) < IDLE
      end

      # StepResult#span_ns of a slice, by time in a closed loop, of a server of which each process
      # computes on one core at most. If all of them computed while all connections were loaded, and
      # one until the last response, each served as fast during its drain as before. So the rate is
      # that of all responses in the time that their processes computed: unlike one between edges
      # it lacks nothing that threads have begun and not ended, at either end (docs/method.md, The
      # rate of a slice). nil if that is not so, or unknown.
      #: (Load::StepResult) -> Integer?
      def full_span_ns(result)
        spent = spent(result)
        return unless sound?(result) && spent.any? && spent.size == processes &&
                      spent.sum >= result.good * LEAST_CPU_OF_A_REQUEST_NS
        return unless FULL.cover?(spent.max.fdiv(result.wall_ns)) &&
                      spent.min >= FULL.begin * result.loaded_ns

        (result.wall_ns * spent.sum.fdiv(spent.size * spent.max)).round
      end

      private

      def sound?(result) = result.errors.empty? && result.outage.nil? && !result.gone

      # CPU time of each process that is known.
      def spent(result) = result.processes_cpu_ns.to_a.values_at(*@places).compact

      # The share of the process that spent least, of an equal one; 1 if that is unknown.
      def least(result)
        spent = spent(result)
        return 1.0 if spent.sum < LEAST_CPU_NS

        spent.min.fdiv(spent.sum) * spent.size
      end
    end
  end
end
