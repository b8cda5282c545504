# frozen_string_literal: true

module Mohs
  class Trial
    # A server's activity between its own slices, while others are measured: its processes' CPU time
    # from now on, less that of its steps of load. Programs that its requests run don't count: their
    # CPU time, which the slices' excludes, is known only once they have ended. If compilers run as
    # processes of their own (MJIT), all of their CPU time counts here, also what they use during
    # its slices, for the same reason; so it is held against the whole time.
    class IdleWait
      # A tree that uses less than this share of a core over WINDOW_S is idle.
      RESTING = 0.05
      WINDOW_S = 0.25

      # Waits until a tree is idle, at most limit_s: the compilers of MJIT and of JVMs continue
      # after the load has ended and would disturb the next measurement. The block returns the
      # tree's processes. False if it is still busy.
      #: (Numeric, ?probe: Module) { () -> Array[Integer] } -> bool
      def self.await(limit_s, probe: Probes::Cpu)
        deadline = Clock.deadline(limit_s)
        while Clock.mono_ns < deadline
          before = [Clock.mono_ns, probe.tree_ns(yield)]
          sleep WINDOW_S
          wall, cpu = [Clock.mono_ns, probe.tree_ns(yield)].zip(before).map { |now, was| now - was }
          return true if cpu < RESTING * wall
        end
        false
      end

      # A moment, and CPU times by what used them: each process, or the whole tree.
      Reading = Struct.new(:at_ns, :cpu_ns) do
        # Nanoseconds on the clock, and of CPU time, since an earlier one. A process that has ended
        # meanwhile is not known any more, one that is new counts whole.
        def since(earlier)
          [at_ns - earlier.at_ns, cpu_ns.sum { |key, ns| ns - earlier.cpu_ns.fetch(key, 0) }]
        end
      end
      private_constant :Reading

      # steps: number of steps of load it has had before. compilers: whether they are processes of
      # their own.
      #: (Array[Integer], Integer, ?compilers: bool, ?probe: Module, ?clock: Module) -> void
      def initialize(pids, steps, compilers: false, probe: Probes::Cpu, clock: Clock)
        @steps = steps
        @compilers = compilers
        @probe = probe
        @clock = clock
        @before = read(pids)
        @outside = [0, 0]
      end

      # What the tree does in the block is no activity of its own: its figures are read.
      #: [T] (Array[Integer]) { () -> T } -> T
      def outside(pids)
        before = read(pids)
        yield
      ensure
        @outside = [@outside, read(pids).since(before)].transpose.map(&:sum)
      end

      # { wall_ns:, cpu_ns: } since then, outside its steps; nil if their CPU time is unknown.
      # results: of all steps, earlier ones included.
      #: (Array[Integer], Array[Load::StepResult]) -> Hash[Symbol, Integer]?
      def call(pids, results)
        results = results.drop(@steps)
        return if results.any? { |result| result.cpu_ns.nil? }

        wall_ns, cpu_ns = [read(pids).since(@before), @outside].transpose
                                                               .map { |all, less| all - less }
        own_ns = @compilers ? 0 : results.sum(&:wall_ns)
        { wall_ns: wall_ns - own_ns, cpu_ns: cpu_ns - results.sum(&:cpu_ns) }
      end

      private

      def read(pids)
        cpu_ns = @compilers ? { tree: @probe.tree_ns(pids) } : pids.zip(@probe.clocks_ns(pids)).to_h
        Reading.new(@clock.mono_ns, cpu_ns.compact)
      end
    end
  end
end
