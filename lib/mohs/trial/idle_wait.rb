# frozen_string_literal: true

module Mohs
  class Trial
    # A server's activity between its own slices, while others are measured: its tree's CPU time
    # from now on, less that of its steps of load. If compilers run as processes of their own (MJIT)
    # their time counts whole, also in its slices, whose CPU time leaves it out.
    class IdleWait
      # A tree that uses less of a core than this, over such a time, is idle.
      RESTING = 0.05
      WINDOW_S = 0.25

      # Waits until a tree is idle, no longer than limit_s: the compilers of MJIT and of JVMs go on
      # when the load has ended, and would disturb the next measurement. The block gives its
      # processes. False if it is still busy.
      #: (Numeric, ?probe: Module, ?clock: Module) { () -> Array[Integer] } -> bool
      def self.await(limit_s, probe: Probes::Cpu, clock: Clock)
        deadline = clock.deadline(limit_s)
        while clock.mono_ns < deadline
          before = [clock.mono_ns, probe.tree_ns(yield)]
          sleep WINDOW_S
          wall, cpu = [clock.mono_ns, probe.tree_ns(yield)].zip(before).map { |now, was| now - was }
          return true if cpu < RESTING * wall
        end
        false
      end

      # steps: how many steps of load it has had before.
      #: (Array[Integer], Integer, ?probe: Module, ?clock: Module) -> void
      def initialize(pids, steps, probe: Probes::Cpu, clock: Clock)
        @steps = steps
        @probe = probe
        @clock = clock
        @before = read(pids)
      end

      # { wall_ns:, cpu_ns: } since then, outside its steps; nil if their CPU time is unknown.
      # results: of all steps, those before included.
      #: (Array[Integer], Array[Load::StepResult]) -> Hash[Symbol, Integer]?
      def call(pids, results)
        results = results.drop(@steps)
        return if results.any? { |result| result.cpu_ns.nil? }

        wall_ns, cpu_ns = read(pids).zip(@before).map { |now, before| now - before }
        { wall_ns: wall_ns - results.sum(&:wall_ns), cpu_ns: cpu_ns - results.sum(&:cpu_ns) }
      end

      private

      def read(pids) = [@clock.mono_ns, @probe.tree_ns(pids)]
    end
  end
end
