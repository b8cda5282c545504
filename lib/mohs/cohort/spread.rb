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

      # Of the time in which a server is loaded, the least CPU time on each of its cores for a rate
      # by CPU time, with the time in which its threads waited for a core. With less, requests wait
      # so long that they come in bunches, and the pace depends on where in a bunch it is read
      # (benchmark/slices.rb).
      BUSY = 0.8

      # Of the CPU time of all processes, the least share of those that serve: not of a worker for
      # jobs.
      SERVING = 0.95

      # What opening a connection costs at most, and the share of the CPU time that may go to those
      # which a slice opens for itself. With shorter requests, a slice has so many that those which
      # threads have begun hardly matter.
      OPENING_NS = 300_000
      OPENINGS = 0.02
      LEAST_CPU_OF_A_REQUEST_NS = 2_000_000

      # watched: the processes whose CPU time the results have, in their order. workers: those that
      # serve. cores: that they may run on; nil: one each.
      #: (watched: Array[Integer], workers: Array[Integer], ?cores: Integer?) -> void
      def initialize(watched:, workers:, cores: nil)
        @places = workers.filter_map { |pid| watched.index(pid) }
        @cores = [processes, cores].compact.min
      end

      #: () -> Integer
      def processes = @places.size

      #: (Load::StepResult) -> bool
      def even?(result) = least_share([result]) >= LEAST

      # Had a process no connection? Not if requests failed: then the load itself shows what is
      # wrong.
      #: (Load::StepResult) -> bool
      def idle?(result)
        sound?(result) && least_share([result]) < IDLE
      end

      # Of an equal share of the CPU time of these loads, what the process with the least of it had;
      # 1 if that is unknown. among: no more processes can have had any (each has a connection).
      #: (Array[Load::StepResult], ?among: Integer) -> Float
      def least_share(results, among: processes)
        spent = results.map { |result| spent(result) }
        return 1.0 if spent.map(&:size).uniq != [processes]

        spent = spent.transpose.map(&:sum).max(among)
        return 1.0 if spent.sum < LEAST_CPU_NS

        spent.min.fdiv(spent.sum) * spent.size
      end

      # StepResult#span_ns of slices, by time in a closed loop, by the CPU time of requests: if that
      # is the same for those of the load and of the drain, the rate is the pace of CPU time while
      # all connections were loaded / the CPU time of a request. Unlike a rate between edges it
      # lacks nothing that threads have begun and not ended, at either end (docs/method.md, The rate
      # of a slice). nil if its processes computed too little for that, or if that is unknown.
      # All slices of a server together decide it: one by one, those in which others took its core
      # would have the rate between edges, because of what they measured. waited_ns: time in which
      # its threads waited for a core in these slices; nil: unknown.
      #: (Array[Load::StepResult], ?waited_ns: Integer?) -> Array[Integer?]
      def computed_spans_ns(results, waited_ns: nil)
        known = results.select { |one| sound?(one) && one.cpu_ns && one.loaded_cpu_ns }
        return results.map { nil } unless computed?(known, waited_ns.to_i)

        results.map { |one| computed_span_ns(one) if known.include?(one) }
      end

      # May its requests take as much CPU time as that needs? Not if it served twice as many at the
      # end of its warm-up as its cores could then.
      #: (Float) -> bool
      def long?(rate_per_s) = rate_per_s * LEAST_CPU_OF_A_REQUEST_NS <= 2e9 * @cores

      private

      def computed?(results, waited_ns)
        all = results.sum(&:cpu_ns)
        return false if results.sum { |one| spent(one).sum } < SERVING * all || all.zero?
        return false if all < results.sum(&:good) * LEAST_CPU_OF_A_REQUEST_NS
        return false if results.sum { |one| opening_ns(one) } > OPENINGS * all

        busy_ns = results.sum(&:loaded_cpu_ns) * (1 + waited_ns.fdiv(all))
        busy_ns >= BUSY * @cores * results.sum(&:loaded_ns)
      end

      # nil without a pace.
      def computed_span_ns(result)
        return unless result.loaded_cpu_ns.positive?

        (result.loaded_ns * result.cpu_ns.fdiv(result.loaded_cpu_ns)).round
      end

      # If requests have a connection each, these are a part of their cost at any time.
      def opening_ns(result) = OPENING_NS * result.connections.values_at(:asked, :opened).min

      def sound?(result) = result.faults.empty? && result.outage.nil? && !result.gone

      # CPU time of each process that is known.
      def spent(result) = result.processes_cpu_ns.to_a.values_at(*@places).compact
    end
  end
end
