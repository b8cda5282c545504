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
        sound = result.errors.empty? && result.outage.nil? && !result.gone
        sound && least(result) < IDLE
      end

      private

      # The share of the process that spent least, of an equal one; 1 if that is unknown.
      def least(result)
        spent = result.processes_cpu_ns.to_a.values_at(*@places).compact
        return 1.0 if spent.sum < LEAST_CPU_NS

        spent.min.fdiv(spent.sum) * spent.size
      end
    end
  end
end
