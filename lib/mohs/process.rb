# frozen_string_literal: true

require "mohs/core"
require "shellwords"

module Mohs
  # Spawns, groups and ends processes; knows nothing about Ruby servers.
  module Process
    # The same for all processes of a machine until it boots again; nil if it can't be read.
    #: () -> String?
    def self.boot_id
      File.read("/proc/sys/kernel/random/boot_id").strip
    rescue SystemCallError
      nil
    end

    # The output of other programs as text: it may be in any encoding, and cut in the middle of a
    # character.
    module Text
      #: (String) -> String
      def self.utf8(bytes) = bytes.dup.force_encoding(Encoding::UTF_8).scrub("?")
    end

    # The environment of a child process. The settings of mohs's own Ruby, RubyGems and Bundler
    # would otherwise reach every interpreter that is measured: RUBYOPT from `bundle exec` alone
    # stops most of them.
    module Environment
      # RUBYOPT, RUBYLIB, RUBY_YJIT_ENABLE, ...; GEM_HOME, GEM_PATH; BUNDLE_GEMFILE, BUNDLER_ORIG_*,
      # ...; options of any engine (JRUBY_OPTS, TRUFFLERUBYOPT); and MOHS_*, which may hold a
      # database password.
      OURS = /\A(RUBY|GEM_|BUNDLE|[A-Z]+RUBY_?OPTS?\z|MOHS_)/

      # `variables` without those that belong to the Ruby that runs mohs.
      #: (Hash[String, String]) -> Hash[String, String]
      def self.clean(variables) = variables.reject { |name, _| name.match?(OURS) }
    end

    # What to start, as data. `env` is merged over the spawner's base environment; nil unsets a
    # variable. The executable is looked up in the PATH that the command itself will have. `called`:
    # the program's name, if the executable only starts it.
    Command = Struct.new(:argv, :env, :chdir, :called, keyword_init: true) do
      #: (argv: Array[String], ?env: Hash[String, String?], ?chdir: String?, ?called: String?) -> void
      def initialize(argv:, env: {}, chdir: nil, called: nil)
        raise ArgumentError, "a command needs an executable" if argv.empty?

        super(argv: argv.map(&:to_s).freeze, env: env.dup.freeze, chdir:, called:)
        freeze
      end

      # A shell script that execs this command; the script's arguments follow the command's own.
      #: () -> String
      def to_script
        assignments = env.map do |name, value|
          value ? "export #{name}=#{Shellwords.escape(value)}" : "unset #{name}"
        end
        ["#!/bin/sh", *assignments, %(exec #{Shellwords.join(argv)} "$@"), ""].join("\n")
      end

      # The command as it could be typed, for messages and provenance; never run.
      #: () -> String
      def to_s
        assignments = env.map { |name, value| value ? "#{name}=#{value}" : "-u #{name}" }
        [*assignments, *argv].join(" ")
      end
    end

    # How a command ended: by an exit code, or by a signal; the other is nil.
    ExitStatus = Struct.new(:code, :signal, keyword_init: true) do
      # From the status word of wait(2): the low seven bits are the signal, the next byte the code.
      #: (Integer) -> ExitStatus
      def self.from_wait(word)
        signal = word & 0x7f
        signal.zero? ? new(code: (word >> 8) & 0xff).freeze : new(signal:).freeze
      end

      #: () -> bool
      def success? = code == 0 # rubocop:disable Style/NumericPredicate -- code may be nil

      #: () -> String
      def to_s = signal ? "killed by SIG#{Signal.signame(signal) || signal}" : "exit #{code}"
    end

    # The processes of this machine as /proc shows them. A process that ends meanwhile is treated as
    # absent, as is another user's process that /proc hides (hidepid).
    module Tree
      GONE = [Errno::ENOENT, Errno::ESRCH, Errno::EACCES, Errno::EPERM].freeze

      module_function

      # `root` and everything below it, parents first.
      #: (Integer) -> Array[Integer]
      def pids(root)
        all = by_parent unless listed?
        found = [root]
        found.each { |pid| found.concat((all ? all.fetch(pid, []) : children(pid)) - found) }
      end

      # The direct children of a process: each of its threads may have started some.
      #: (Integer) -> Array[Integer]
      def children(pid)
        return by_parent.fetch(pid, []) unless listed?

        tasks = Dir.children("/proc/#{pid}/task")
        tasks.flat_map { |tid| read("/proc/#{pid}/task/#{tid}/children").split.map(&:to_i) }
      rescue *GONE
        []
      end

      # Raises EnvironmentError if /proc shows no processes, not even this one.
      #: (?proc: String) -> void
      def verify(proc: "/proc")
        return if File.readable?(File.join(proc, ::Process.pid.to_s, "stat"))

        raise EnvironmentError, "#{proc} shows no processes: mohs reads there what servers take " \
                                "and how many workers they have. Mount it (mount -t proc proc " \
                                "#{proc}), or start the container without masking it."
      end

      # Whether /proc lists children. Not every kernel does, nor every container. If not, the parent
      # of each process is read, which takes longer.
      #: () -> bool
      def listed? = File.exist?("/proc/thread-self/children")

      # The arguments joined by spaces, or the title that the process gave itself; "" for a zombie
      # or if there is no such process.
      #: (Integer) -> String
      def command_line(pid) = read("/proc/#{pid}/cmdline").tr("\0", " ").strip

      # The parent is the second field after the name (proc(5)).
      def by_parent
        pids = Dir.children("/proc").grep(/\A\d+\z/).map(&:to_i)
        pids.group_by { |pid| read("/proc/#{pid}/stat").rpartition(")").last.split[1].to_i }
      rescue *GONE
        {}
      end

      def read(path)
        Text.utf8(File.binread(path))
      rescue *GONE
        ""
      end
      private_class_method :by_parent, :read
    end

    # Runs a short command to its end and returns its output. At the deadline, or when the command
    # has ended and left something running, the whole tree below it is killed.
    module Capture
      Result = Struct.new(:stdout, :stderr, :status, :timed_out, keyword_init: true) do
        #: () -> bool
        def success? = status.success?
      end

      # More than any short command prints. A command that prints more blocks until its deadline, so
      # that it cannot fill mohs's memory.
      LIMIT_BYTES = 64 * 1024 * 1024

      # Never raises because of the command: one that cannot be started has status 127 or 126, with
      # the reason on stderr.
      #: (Command, timeout_s: Numeric, ?spawner: Spawner) -> Result
      def self.call(command, timeout_s:, spawner: Spawner.new)
        out, out_end = IO.pipe
        err, err_end = IO.pipe
        child = spawner.start(command, out: out_end, err: err_end)
        [out_end, err_end].each(&:close)
        finish(child, timeout_s, [out, err])
      ensure
        child&.kill
        [out, out_end, err, err_end].compact.each(&:close)
      end

      # Killing what the command left running also closes its ends of the pipes, which ends the
      # reader threads.
      def self.finish(child, timeout_s, pipes)
        readers = pipes.map { |pipe| Thread.new { pipe.read(LIMIT_BYTES) || "" } }
        readers.each { |reader| reader.report_on_exception = false } # an interrupt closes its pipe
        ended = child.wait(timeout_s)
        child.kill
        stdout, stderr = readers.map { |reader| Text.utf8(reader.value) }
        Result.new(stdout:, stderr:, status: child.exit_status, timed_out: ended.nil?).freeze
      end
      private_class_method :finish
    end

    # The descriptors (sockets, files) that this process may open.
    module Descriptors
      # For other files: those written, and those read in /proc.
      SPARE = 32

      module_function

      # Raises the soft limit if it doesn't allow `count` more descriptors than are open now. It is
      # raised no further than needed, since what mohs starts inherits it, and some tools walk over
      # every descriptor that they may have. Raises EnvironmentError if the hard limit is too low.
      # what: what needs the descriptors, for the message.
      #: (Integer, what: String) -> void
      def make_room(count, what:)
        needed = open + count + SPARE
        soft, hard = ::Process.getrlimit(::Process::RLIMIT_NOFILE)
        return if needed <= soft

        raise EnvironmentError, short(what, needed, hard) if needed > hard

        ::Process.setrlimit(::Process::RLIMIT_NOFILE, needed, hard)
      end

      # How many more descriptors than are open now the hard limit allows.
      #: () -> Integer
      def room = ::Process.getrlimit(::Process::RLIMIT_NOFILE).last - open - SPARE

      def open = Dir.children("/proc/self/fd").size

      def short(what, needed, hard)
        "#{what} need #{needed} open files, and one process may have #{hard}. Ask for fewer, " \
          "or raise the hard limit: ulimit -Hn #{needed} as root, LimitNOFILE= of a unit, " \
          "--ulimit nofile=#{needed} of a container."
      end

      private_class_method :open, :short
    end

    # What the kernel grants to real-time threads: pure, from the kernel's files, so that the shield
    # and the doctor agree.
    module RealTime
      UNLIMITED = "unlimited"

      # In the first of these kernels and up to, but not including, the second, softirqs under load
      # run in ksoftirqd, an ordinary thread: packets then wait until the real-time threads of that
      # core pause (Linux commits 4cd13c21b207 and d15121be7485).
      DEFERRED_SOFTIRQS = [[4, 9], [6, 5]].freeze

      module_function

      # From the files of /proc: `runtime_us` of every `period_us` is what all real-time threads get
      # together (sched(7)), -1: all of it; `limit_us`: how long a process may use the CPU without a
      # pause before the kernel ends it (RLIMIT_RTTIME), nil: no limit; `kernel`: its release.
      # Values are also nil if they can't be read.
      #: () { (String) -> String? } -> Hash[Symbol, (Integer | String)?]
      def grants
        runtime_us, period_us = %w[runtime period].map do |name|
          yield("proc/sys/kernel/sched_rt_#{name}_us")&.to_i
        end
        limit = yield("proc/self/limits")&.slice(/^Max realtime timeout +(\S+)/, 1)
        { runtime_us:, period_us:, limit_us: limit == UNLIMITED ? nil : limit&.to_i,
          kernel: yield("proc/sys/kernel/osrelease")&.strip }
      end

      # Why the real-time class must not be used although it is permitted: nothing else could run,
      # or the servers would be ended for being busy, or would wait for the network longer than
      # without it. nil if nothing speaks against it.
      #: (runtime_us: Integer?, period_us: Integer?, limit_us: Integer?, kernel: String?) -> String?
      def obstacle(runtime_us:, period_us:, limit_us:, kernel:)
        if limit_us
          "processes there are ended after #{limit_us} µs without a pause (RLIMIT_RTTIME)"
        elsif runtime_us && (runtime_us.negative? || (period_us && runtime_us >= period_us))
          "the kernel leaves nothing to others (kernel.sched_rt_runtime_us is #{runtime_us})"
        elsif deferred_softirqs?(kernel)
          "on Linux 4.9 to 6.4 network packets wait behind real-time threads (this is #{kernel})"
        end
      end

      def deferred_softirqs?(kernel)
        version = kernel&.match(/\A(\d+)\.(\d+)/)&.captures&.map(&:to_i) or return false
        first, fixed = DEFERRED_SOFTIRQS
        (version <=> first) >= 0 && (version <=> fixed).negative?
      end
      private_class_method :deferred_softirqs?
    end

    # Which CPUs the server and the driver run on.
    module CpuSet
      # Passes over all threads, at most. A few are enough for a tree that forks every 4 ms.
      PASSES = 50

      module_function

      # The CPUs that this process may use: an affinity mask or a container may allow fewer than the
      # machine has.
      #: () -> Array[Integer]
      def available = Core.affinity(0)

      # The driver gets the last CPU, the server all others; with a single CPU they share it.
      #: (?Array[Integer]) -> Hash[Symbol, Array[Integer]]
      def plan(cpus = available)
        return { server: cpus, driver: cpus } if cpus.size < 2

        { server: cpus[0..-2], driver: cpus.last(1) }
      end

      # Moves all threads of the processes that the block lists to `cpus`. They are listed again
      # until none is elsewhere: a process may start new ones meanwhile. Threads that end meanwhile
      # are skipped.
      #: (Array[Integer]) { () -> Array[Integer] } -> void
      def pin(cpus)
        PASSES.times do
          astray = yield.flat_map { |pid| threads(pid) }.select { |tid| astray?(tid, cpus) }
          return if astray.empty?

          astray.each { |tid| move(tid, cpus) }
        end
      end

      # Keeps mohs itself on `cpus` while the block runs; does nothing if `cpus` is empty.
      #: [T] (Array[Integer]) { () -> T } -> T
      def keep_to(cpus)
        before = available
        pin(cpus) { [::Process.pid] } if cpus.any?
        yield
      ensure
        pin(before) { [::Process.pid] }
      end

      def threads(pid)
        Dir.children("/proc/#{pid}/task").map(&:to_i)
      rescue Errno::ENOENT, Errno::ESRCH
        []
      end

      def astray?(tid, cpus)
        Core.affinity(tid) != cpus.sort
      rescue Errno::ESRCH
        false
      end

      def move(tid, cpus)
        Core.set_affinity(tid, cpus)
      rescue Errno::ESRCH
        nil
      end
      private_class_method :threads, :astray?, :move
    end
  end
end
