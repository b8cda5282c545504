# frozen_string_literal: true

require "etc"

module Mohs
  module Probes
    # Memory of a whole process tree. RSS counts a page that processes share once for each of them,
    # so it is correct for a single process only. PSS divides shared pages among the processes and
    # is what a tree costs, but reading it walks all page tables: it is read at rest points only. A
    # process that ends while being read counts as nothing.
    module Memory
      PAGE_BYTES = Etc.sysconf(Etc::SC_PAGESIZE)

      # Characters of a process's title or command line: enough to recognise its role in the server.
      NAME = 60

      # Figures of a process; a tree has their sums.
      FIGURES = %i[rss_bytes pss_bytes private_bytes shared_bytes peak_rss_bytes].freeze

      class << self
        # `tree_bytes` is the cost of the tree, independent of other processes. PSS divides the
        # pages of a file (libruby, say) among all processes that map it, including servers measured
        # beside this one, so the cost would depend on them. Here private memory, which only forks
        # within one tree share, counts as its PSS, and files count once: as much as is mapped by
        # the process that maps most. `private_bytes` are pages that only one process maps;
        # `shared_bytes` are the rest of its RSS, counted for each process: how much copying forking
        # saved shows in what each worker has of its own. `peak_rss_bytes` is the sum of the
        # processes' own peaks, reached at different times: an upper bound. `pss_complete` is false
        # if the kernel would not show a process's PSS: its RSS was used instead, and its private
        # memory is unknown. `processes` has the same figures of each process, with its `pid` and
        # `name`, in the order of `pids`. Of several trees each has files of its own, since they are
        # different programs.
        #: (*Array[Integer]) -> Hash[Symbol, untyped]
        def read(*trees)
          each = trees.map { |pids| pids.filter_map { |pid| row(pid) } }
          files = each.sum { |rows| rows.map { |row| row.fetch(:files) }.max.to_i }
          rows = each.flatten(1)
          {
            **FIGURES.to_h { |figure| [figure, total(rows, figure)] },
            tree_bytes: rows.sum { |row| row.fetch(:own) } + files,
            pss_complete: rows.all? { |row| row.fetch(:complete) },
            processes: rows.map { |row| row.slice(:pid, :name, *FIGURES) },
          }
        end

        # The tree's RSS now, by the cheapest reading there is.
        #: (Array[Integer]) -> Integer
        def rss_bytes(pids)
          pids.sum { |pid| text("/proc/#{pid}/statm").split[1].to_i * PAGE_BYTES }
        end

        private

        # nil if one of the rows lacks the figure.
        def total(rows, figure)
          values = rows.map { |row| row.fetch(figure) }
          values.sum unless values.include?(nil)
        end

        # nil for a process that is gone, or for a zombie, which has no memory.
        def row(pid)
          status = text("/proc/#{pid}/status")
          rss = bytes(status, "VmRSS") or return
          rollup = text("/proc/#{pid}/smaps_rollup")
          files = bytes(status, "RssFile")
          own = sum(rollup, %w[Pss_Anon Pss_Shmem]) || (rss - files)
          { pid:, name: Process::Tree.command_line(pid)[0, NAME], files:, own:,
            complete: !rollup.empty?, **figures(rollup, rss),
            peak_rss_bytes: bytes(status, "VmHWM") }
        end

        def figures(rollup, rss)
          { rss_bytes: rss, pss_bytes: bytes(rollup, "Pss") || rss,
            private_bytes: sum(rollup, %w[Private_Clean Private_Dirty]),
            shared_bytes: sum(rollup, %w[Shared_Clean Shared_Dirty]) }
        end

        # nil if the kernel shows none of these.
        def sum(text, names)
          found = names.filter_map { |name| bytes(text, name) }
          found.sum if found.any?
        end

        def bytes(text, name)
          number = text[/^#{name}:\s+(\d+) kB/, 1]
          number && (number.to_i * 1024)
        end

        def text(path)
          File.binread(path)
        rescue Errno::ENOENT, Errno::ESRCH, Errno::EACCES, Errno::EPERM
          ""
        end
      end

      # Watches a tree's RSS while load runs, on a thread of its own, from `start` to `stop`.
      class Sampler
        INTERVAL_S = 0.1
        # Number of readings between two searches for new processes: a search costs a hundred times
        # as much as a reading, and servers rarely fork.
        REFRESH = 10

        # `pids_proc` returns the processes of the tree.
        #: (^() -> Array[Integer], ?interval_s: Numeric) -> void
        def initialize(pids_proc, interval_s: INTERVAL_S)
          @pids_proc = pids_proc
          @interval_s = interval_s
          @lock = Mutex.new
          @wake = ConditionVariable.new
          @peak = 0
        end

        #: () -> self
        def start
          @stopping = false
          @thread = Thread.new { run }
          @thread.name = "memory sampler"
          self
        end

        # Takes a last reading and returns the highest sum seen. Safe to call again.
        #: () -> Integer
        def stop
          @lock.synchronize do
            @stopping = true
            @wake.signal
          end
          @thread&.join
          @peak
        end

        private

        def run
          pids = []
          (0..).each do |reading|
            last = @stopping
            pids = @pids_proc.call if last || (reading % REFRESH).zero?
            @peak = [@peak, Memory.rss_bytes(pids)].max
            break if last

            @lock.synchronize { @wake.wait(@lock, @interval_s) unless @stopping }
          end
        end
      end
    end
  end
end
