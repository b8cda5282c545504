# frozen_string_literal: true

require "etc"

module Mohs
  # What the kernel and the servers report about servers and about the machine.
  module Probes
    # CPU time of processes as /proc and their clocks show it, to see which ones worked. (Published
    # CPU times are read by the load core, from the same clocks.)
    module Cpu
      # Fields 14 to 17 of /proc/PID/stat (proc(5)), counted after the command's name: user and
      # system time, in clock ticks; then the same of children that have ended and were waited for.
      OWN = [11, 12].freeze
      OF_CHILDREN = [13, 14].freeze
      TICK_NS = 10_000_000

      # Which clock of a process: the scheduler's, CPUCLOCK_SCHED (include/linux/posix-timers.h,
      # which clock_getcpuclockid(3) follows).
      SCHEDULER = 2

      module_function

      # Ticks of 10 ms by pid, without processes that are gone.
      #: (Array[Integer]) -> Hash[Integer, Integer]
      def ticks(pids) = pids.to_h { |pid| [pid, fields(pid, OWN)] }.compact

      # Nanoseconds of these processes and of the children that they have waited for: no time of a
      # whole tree gets lost when one of its processes ends.
      #: (Array[Integer]) -> Integer
      def tree_ns(pids)
        pids.sum { |pid| clock_ns(pid).to_i + (fields(pid, OF_CHILDREN).to_i * TICK_NS) }
      end

      # Nanoseconds of each of these processes alone; nil for one that has ended.
      #: (Array[Integer]) -> Array[Integer?]
      def clocks_ns(pids) = pids.map { |pid| clock_ns(pid) }

      def fields(pid, indexes)
        all = File.read("/proc/#{pid}/stat").rpartition(")").last.split
        all.values_at(*indexes).sum(&:to_i)
      rescue Errno::ENOENT, Errno::ESRCH
        nil
      end

      def clock_ns(pid)
        ::Process.clock_gettime((~pid << 3) | SCHEDULER, :nanosecond)
      rescue Errno::EINVAL
        nil # it has ended
      end

      private_class_method :fields, :clock_ns
    end

    # The kind of machine: recorded with every run, since figures of two machines must not be
    # compared.
    module Host
      CLOCK = "devices/system/clocksource/clocksource0/current_clocksource"

      module_function

      #: (?proc: String, ?sys: String) -> Hash[Symbol, untyped]
      def fingerprint(proc: "/proc", sys: "/sys")
        {
          cpu: read("#{proc}/cpuinfo")[/^model name\s*:\s*(.+)/, 1],
          cores: Process::CpuSet.available.size,
          memory_bytes: read("#{proc}/meminfo")[/^MemTotal:\s*(\d+)/, 1].to_i * 1024,
          kernel: read("#{proc}/sys/kernel/osrelease").strip,
          virtual: read("#{proc}/cpuinfo").match?(/^flags\s*:.*\bhypervisor\b/),
          governor: presence(read("#{sys}/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip),
          clock_source: presence(read("#{sys}/#{CLOCK}").strip),
        }.compact
      end

      def read(path)
        File.read(path)
      rescue SystemCallError
        ""
      end

      def presence(text) = text.empty? ? nil : text

      private_class_method :read, :presence
    end

    # The Ruby code that each process of a server loads first: inside/attest.rb, preceded by the
    # code that attests its engine and server.
    module Inside
      FILE = "attest.rb"
      SOURCE = File.expand_path("inside/#{FILE}", __dir__)

      # Environment variables that affect any Ruby.
      VARIABLES = /MALLOC_|TCMALLOC_|MIMALLOC_|LD_PRELOAD/

      PROFILE = File.expand_path("inside/profile.rb", __dir__)

      # engine, server: classes of Rubies::Engines and Servers. extension: a compiled file
      # (Probes::Extension). profile: whether stack samples will be requested. block_jit: whether
      # the application is kept from turning a JIT on.
      #: (engine: singleton(Rubies::Engines::Base), server: singleton(Servers::Base), ?extension: String?, ?profile: bool, ?block_jit: bool) -> String
      def self.script(engine:, server:, extension: nil, profile: false, block_jit: true)
        <<~RUBY
          # frozen_string_literal: true

          module MohsInside
            def self.server_threads; #{serving(server::SERVING, server::NAMELESS)}; end
            def self.server_release; #{server::RELEASE || 'nil'}; end
            SERVER = #{server.label.inspect}
            SERVERS = #{Servers.all.flat_map { |one| one::GEMS.keys }.uniq.inspect}
            VARIABLES = #{variables.inspect}
            EXTENSION = #{extension.inspect}
            PROFILER = #{engine::PROFILER.inspect}
            GVL = #{engine::GVL}
            BLOCK_JIT = #{block_jit}
          #{engine::INSIDE}end
          #{File.read(SOURCE)}
          #{File.read(PROFILE) if profile}
        RUBY
      end

      # An expression that counts a server's threads.
      def self.serving(how, nameless)
        return how || "nil" unless how.is_a?(Regexp)

        "Thread.method_defined?(:name) && (named = Thread.list.count { |thread| " \
          "thread.name.to_s =~ #{how.inspect} }) > 0 ? named : #{nameless || 'nil'}"
      end
      private_class_method :serving

      # The variables of all engines: those of another engine can matter to programs that the
      # application starts.
      def self.variables
        names = Rubies::Engines.all.map { |engine| engine::VARIABLES }
        /\A(?:#{[VARIABLES, *names].map(&:source).uniq.join('|')})/
      end
      private_class_method :variables
    end

    # How much CPU time other processes took. The time of mohs includes that of every child that it
    # has waited for, so both readings have to be taken while no server runs.
    class ForeignLoad
      # Columns of /proc/stat's "cpu" line after its name (proc(5)): idle and iowait are not busy;
      # guest is already part of user.
      IDLE, IOWAIT, STEAL = 3, 4, 7
      COLUMNS = 8

      #: (?stat: String, ?times: Proc, ?ticks_per_s: Integer) -> void
      def initialize(stat: "/proc/stat", times: -> { ::Process.times }, ticks_per_s: Etc.sysconf(Etc::SC_CLK_TCK))
        @stat = stat
        @times = times
        @ticks_per_s = ticks_per_s
        @before = read
      end

      # Since the start: `foreign_cpu_share`, the share of all cores' time (0..1), and
      # `steal_share`, the share that the hypervisor took.
      #: () -> Hash[Symbol, Float]
      def call
        total, busy, steal, own = read.zip(@before).map { |now, before| now - before }
        return { foreign_cpu_share: 0.0, steal_share: 0.0 } unless total.positive?

        foreign = ((busy - own) / total).clamp(0.0, 1.0)
        { foreign_cpu_share: foreign.round(4), steal_share: (steal / total).round(4) }
      end

      # Leaves out the time of the block, in which mohs and its servers are idle.
      #: [T] () { () -> T } -> T
      def except
        from = read
        yield
      ensure
        passed = read.zip(from).map { |now, before| now - before }.first(3) # without ours
        @before = @before.zip(passed).map { |before, more| before + more.to_f }
      end

      private

      # Seconds: of all cores, busy, stolen, ours.
      def read
        columns = File.foreach(@stat).first.split.drop(1).first(COLUMNS)
        seconds = columns.map { |ticks| ticks.to_f / @ticks_per_s }
        idle = seconds.values_at(IDLE, IOWAIT, STEAL).sum
        [seconds.sum, seconds.sum - idle, seconds[STEAL], @times.call.to_a.sum]
      end
    end

    # What processes have mapped, from /proc/PID/maps: the dynamic linker only warns about a library
    # that it can't preload, and an allocator reports nothing.
    module Libraries
      # Address, permissions, offset; device and inode; path.
      FILE = %r{^\S+ \S+ \S+ (\h+:\h+ \d+) +(/.*)$}

      module_function

      # The name of the first of `libraries` (words of LD_PRELOAD) that one of `pids` lacks, and
      # that process; nil if all have all. Processes that can't be read are skipped.
      #: (Array[String], Array[Integer]) -> [String, Integer]?
      def missing(libraries, pids)
        return if libraries.empty?

        pids.each do |pid|
          files = mapped(pid) or next
          lacking = libraries.find { |library| !among?(files, library, pid) }
          return [File.basename(lacking), pid] if lacking
        end
        nil
      end

      # [device and inode, path] of each file, links followed.
      def mapped(pid)
        Process::Text.utf8(File.binread("/proc/#{pid}/maps")).scan(FILE).uniq
      rescue SystemCallError
        nil
      end

      # A word with a slash is a path. Other words are names that the linker looks up, possibly
      # links (libtcmalloc.so.4 for libtcmalloc.so.4.5.10, libm.so.6 for libm-2.31.so); so are words
      # with a part such as $LIB, which only the linker can resolve (ld.so(8)).
      def among?(files, library, pid)
        return path?(files, File.absolute_path(library, "/proc/#{pid}/cwd")) \
          if library.include?("/") && !library.include?("$")

        versions = %r{/#{Regexp.escape(File.basename(library)[/\A.+?(?=\.so|\z)/])}[.-][^/]*\z}
        files.any? { |_, path| path.match?(versions) }
      end

      # Compares device and inode or the path, since some file systems report others for mapped
      # files (overlayfs, btrfs). False if there is no such file.
      def path?(files, library)
        stat = File.stat(library)
        identity = format("%02x:%02x %d", stat.dev_major, stat.dev_minor, stat.ino)
        real = File.realpath(library)
        files.any? { |file, path| file == identity || path == real }
      rescue SystemCallError
        false
      end
      private_class_method :mapped, :among?, :path?
    end

    # Finds the processes that listen on a loopback port or unix socket: proc(5) has each socket's
    # inode in /proc/net, and each process's open sockets below /proc/PID/fd.
    module Listener
      # sl, local_address, rem_address, st: 0A is LISTEN; the tenth field is the inode.
      SOCKET = /^\s*\d+: \h+:(?<port>\h{4}) \h+:\h{4} 0A (?:\S+\s+){5}(?<inode>\d+)/

      # The same for a connection: 01 is ESTABLISHED. It has no inode before it is accepted.
      CONNECTION = /^\s*\d+: \h+:(?<port>\h{4}) \h+:(?<remote>\h{4}) 01 (?:\S+\s+){5}(?<inode>\d+)/

      # A connection that a server has accepted: ESTABLISHED, or 08, CLOSE_WAIT, if the client has
      # closed it.
      OPEN = /^\s*\d+: \h+:(?<port>\h{4}) \h+:\h{4} 0[18] /

      # A connection accepted on a unix socket, which has the path of the socket that listens: 03
      # is SS_CONNECTED. Without an inode it is not accepted yet.
      UNIX_CONNECTION = /^\h+: \h+ \h+ 00000000 \h+ 03 +(?<inode>[1-9]\d*) (?<path>.+)$/

      # Num, RefCount, Protocol, Flags, Type, St, Inode, Path: 00010000 is __SO_ACCEPTCON.
      UNIX = /^\h+: \h+ \h+ 00010000 \h+ \h+ +(?<inode>\d+) (?<path>.+)$/

      module_function

      # The processes that have the listening socket open, a master and its workers; [] if they
      # belong to another user.
      #: (Integer) -> Array[Integer]
      def pids(port)
        holding(inodes(port), Dir.children("/proc").grep(/\A\d+\z/).map(&:to_i))
      end

      # Whether a process listens on the port, but none of `pids`. False if pids is empty (unknown).
      #: (Integer, Array[Integer]) -> bool
      def foreign?(port, pids)
        sockets = inodes(port)
        pids.any? && sockets.any? && holding(sockets, pids).empty?
      end

      # The process of `pids` that has accepted the connection from port `remote` of this machine;
      # nil if none has yet.
      #: (Integer, Integer, Array[Integer]) -> Integer?
      def serving(port, remote, pids)
        found = rows(CONNECTION).select { |one| one[0].hex == port && one[1].hex == remote }
        holding(found.map(&:last) - ["0"], pids).first
      end

      # How many connections each of `pids` has accepted, in their order, on the server's port or
      # the path of its socket.
      #: (Integer | String, Array[Integer]) -> Array[Integer]
      def accepted(place, pids)
        inodes = place.is_a?(String) ? unix_connections(place) : connections(place)
        links = inodes.to_h { |inode| ["socket:[#{inode}]", true] }
        pids.map { |pid| OpenFiles.links(pid).values.count { |link| links[link] } }
      end

      # Has the server on this port connections that it has not closed?
      #: (Integer) -> bool
      def open?(port) = rows(OPEN).flatten.any? { |one| one.hex == port }

      # Waits until the server on this port has closed all of its connections, for so many seconds
      # at most, and looks every `look_s`. Whether it has closed them.
      #: (Integer, within_s: Numeric, look_s: Numeric, ?clock: untyped) -> bool
      def closed?(port, within_s:, look_s:, clock: Clock)
        deadline = clock.deadline(within_s)
        sleep(look_s) while (open = open?(port)) && clock.mono_ns < deadline
        !open
      end

      # The processes of `pids` that listen on the unix socket at `path`.
      #: (String, Array[Integer]) -> Array[Integer]
      def unix_pids(path, pids)
        found = File.read("/proc/net/unix").scan(UNIX)
        holding(found.filter_map { |inode, at| inode if at == path }, pids)
      end

      def holding(inodes, pids)
        links = inodes.map { |inode| "socket:[#{inode}]" }
        pids.select { |pid| OpenFiles.links(pid).values.intersect?(links) }
      end

      def inodes(port)
        rows(SOCKET).filter_map { |hex, inode| inode if hex.hex == port && inode != "0" }
      end

      def connections(port)
        rows(CONNECTION).filter_map { |hex, _, inode| inode if hex.hex == port && inode != "0" }
      end

      def unix_connections(path)
        File.read("/proc/net/unix").scan(UNIX_CONNECTION)
            .filter_map { |inode, at| inode if at == path }
      end

      def rows(pattern)
        tables = %w[/proc/net/tcp /proc/net/tcp6].select { |path| File.readable?(path) }
        tables.flat_map { |path| File.read(path).scan(pattern) }
      end

      private_class_method :holding, :inodes, :connections, :unix_connections, :rows
    end
  end
end
