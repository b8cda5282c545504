# frozen_string_literal: true

module Mohs
  class Trial
    # A server's activity between its own slices, while others are measured: its tree's CPU time
    # from now on, less that of its steps of load. If compilers run as processes of their own
    # (MJIT), all of their CPU time counts here, also what they use during its slices, because the
    # slices' CPU time excludes it; so it is held against the whole time.
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

      # Whether a tree that got its stop signal hangs, so that waiting for it is in vain: it has
      # done nothing for a while, and its threads wait for each other, without a time limit. (Some
      # workers of Puma 8 do on Ruby 3.3 and later.) A server that sleeps, or waits for a disk, a
      # program or somebody's answer, may go on.
      class Hang
        # A process that has started or ended is activity, too.
        WINDOW_S = 1

        # Where the kernel keeps a thread that waits for another one, and Ruby's timer thread.
        FUTEX = /\Afutex/
        EPOLL = /\A(?:do_epoll_wait|ep_poll)/

        # The fourth argument of both system calls (futex(2), epoll_wait(2)) if there is no limit.
        TIMEOUT = 4
        FOREVER = { FUTEX => /\A0x0\z/, EPOLL => /\A0xf+\z/ }.freeze

        # Threads of Puma that end with their process, whatever they wait for.
        BESIDE = ["puma wrkr check", "puma stat pld"].freeze

        #: (?window_s: Numeric, ?probe: Module, ?clock: Module, ?proc: String) { () -> Array[Integer] } -> void
        def initialize(window_s: WINDOW_S, probe: Probes::Cpu, clock: Clock, proc: "/proc", &pids)
          @window_ns = window_s * 1e9
          @probe = probe
          @clock = clock
          @proc = proc
          @pids = pids
          @before = look
        end

        #: () -> bool
        def call
          now = look
          pids, from_ns, cpu_ns = @before
          wall_ns = now[1] - from_ns
          return false if wall_ns < @window_ns
          return stuck?(pids) if now.first == pids && now.last - cpu_ns < RESTING * wall_ns

          @before = now
          false
        end

        private

        def look
          pids = @pids.call
          [pids, @clock.mono_ns, @probe.tree_ns(pids)]
        end

        # A process waits for its children as long as it has some.
        def stuck?(pids)
          parents = pids.map { |pid| parent(pid) }
          last = pids - parents
          last.any? && last.all? { |pid| threads(pid).all? { |thread| waits?(thread) } } &&
            !Probes::Listener.connected?(last)
        rescue SystemCallError
          false # it ends, or the kernel does not say
        end

        def parent(pid) = read(pid, "stat").rpartition(")").last.split[1].to_i

        # Those that decide whether the process ends.
        def threads(pid)
          tasks = Dir.children(File.join(@proc, pid.to_s, "task"))
          all = tasks.map { |task| "#{pid}/task/#{task}" }
          all.reject { |thread| BESIDE.include?(read(thread, "comm").chomp) }
        end

        def waits?(thread)
          at = read(thread, "wchan")
          limit = read(thread, "syscall").split[TIMEOUT].to_s
          FOREVER.any? { |call, forever| at.match?(call) && limit.match?(forever) }
        end

        def read(of, name) = File.read(File.join(@proc, of.to_s, name))
      end

      # steps: number of steps of load it has had before.
      #: (Array[Integer], Integer, ?probe: Module, ?clock: Module) -> void
      def initialize(pids, steps, probe: Probes::Cpu, clock: Clock)
        @steps = steps
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
        @outside = [@outside, read(pids), before].transpose.map { |sum, now, was| sum + now - was }
      end

      # { wall_ns:, cpu_ns: } since then, outside its steps; nil if their CPU time is unknown.
      # results: of all steps, earlier ones included. compilers: whether they are processes of their
      # own: their CPU time is then that of the whole time.
      #: (Array[Integer], Array[Load::StepResult], ?compilers: bool) -> Hash[Symbol, Integer]?
      def call(pids, results, compilers: false)
        results = results.drop(@steps)
        return if results.any? { |result| result.cpu_ns.nil? }

        wall_ns, cpu_ns = [read(pids), @before, @outside].transpose
                                                         .map { |now, *less| now - less.sum }
        own_ns = compilers ? 0 : results.sum(&:wall_ns)
        { wall_ns: wall_ns - own_ns, cpu_ns: cpu_ns - results.sum(&:cpu_ns) }
      end

      private

      def read(pids) = [@clock.mono_ns, @probe.tree_ns(pids)]
    end
  end
end
