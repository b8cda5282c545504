# frozen_string_literal: true

module Mohs
  module Probes
    # The kernel's part of a Store::Reading: figures of a trial's processes, read repeatedly, at
    # rest. (Published CPU time is read by the load core, from more precise clocks.)
    class KernelFigures
      # Fields of /proc/PID/stat (proc(5)), counted after the command's name: of the whole process,
      # including threads that have ended.
      STAT = { minor_faults: [7], major_faults: [9], user_ns: [11], system_ns: [12],
               programs_ns: [13, 14] }.freeze
      OF_PROCESSES = STAT.keys.freeze
      TICKS = OF_PROCESSES.grep(/_ns\z/).freeze

      # From /proc/PID/task/TID: of one thread, lost when it ends.
      SWITCHES = /^(voluntary|nonvoluntary)_ctxt_switches:\s+(\d+)/
      OF_THREADS = %i[voluntary_switches involuntary_switches cpu_wait_ns].freeze

      # The thread of mohs in the server (inside/attest.rb), which doesn't count as the server's.
      OWN = /^Name:\s+mohs inside$/

      # Between two readings, a thread that only has a timer runs for less than this.
      BUSY_NS = 1_000_000

      #: (?proc: String) -> void
      def initialize(proc: "/proc")
        @proc = proc
        @lost = []
        @pids = []
        @threads = {}
      end

      # Leaves out the counters of processes or threads if any has ended since an earlier reading:
      # from then on they would be too small.
      #: (Array[Integer]) -> Hash[Symbol, Integer]
      def read(pids)
        processes = pids.to_h { |pid| [pid, process(pid)] }.compact
        threads = processes.keys.flat_map { |pid| threads(pid) }.to_h
        lose(processes, threads)
        busy = busy(threads)
        @pids, @threads = processes.keys, threads
        { **sum(processes.values, OF_PROCESSES), **sum(threads.values, OF_THREADS),
          threads: threads.size, threads_busy: busy }.compact.except(*@lost)
      end

      private

      def lose(processes, threads)
        @lost |= OF_PROCESSES if (@pids - processes.keys).any?
        @lost |= OF_THREADS if (@threads.keys - threads.keys).any?
      end

      # nil in the first reading.
      def busy(threads)
        return if @threads.empty? || threads.values.any? { |thread| thread[:ran_ns].nil? }

        threads.count do |id, thread|
          thread[:ran_ns] - (@threads.dig(id, :ran_ns) || 0) >= BUSY_NS
        end
      end

      # Without figures that one of them lacks; {} if there are no rows.
      def sum(rows, names)
        names.to_h { |name| [name, rows.map { |row| row[name] }] }
             .reject { |_, values| values.empty? || values.any?(&:nil?) }
             .transform_values(&:sum)
      end

      def process(pid)
        fields = text("#{@proc}/#{pid}/stat").rpartition(")").last.split
        return if fields.empty?

        row = STAT.transform_values { |indices| fields.values_at(*indices).sum(&:to_i) }
        TICKS.each { |name| row[name] *= Cpu::TICK_NS }
        row
      end

      # [[pid, tid], figures] of each thread.
      def threads(pid)
        Dir.children("#{@proc}/#{pid}/task").filter_map do |tid|
          row = thread("#{@proc}/#{pid}/task/#{tid}")
          [[pid, tid], row] if row
        end
      rescue SystemCallError
        [] # it has just ended
      end

      def thread(path)
        status = text("#{path}/status")
        switches = status.scan(SWITCHES).to_h
        return if switches.empty? || status.match?(OWN)

        { voluntary_switches: switches["voluntary"]&.to_i,
          involuntary_switches: switches["nonvoluntary"]&.to_i, **schedule(path) }
      end

      # Nanoseconds that it ran, and that it waited for a core; both are 0 if the kernel does not
      # count.
      def schedule(path)
        ran_ns, cpu_wait_ns = text("#{path}/schedstat").split.map(&:to_i)
        ran_ns.to_i.positive? ? { ran_ns:, cpu_wait_ns: } : {}
      end

      def text(path)
        File.binread(path)
      rescue SystemCallError
        ""
      end
    end
  end
end
