# frozen_string_literal: true

require "fileutils"

module Mohs
  class Trial
    # What stands in front of a trial's server, from its start to its end: it gets the load and the
    # checks, and its processes count as the server's in all but the number of workers.
    class Front
      # Lines of its log that are kept: where the server is gone it has one for each request.
      LOG_LINES = 20

      #: () -> Servers::Bind
      attr_reader :bind

      # upstream: where the server listens; folder: of the front alone; place: the trial's; host:
      # the address that load goes to.
      #: (setup: Trial::Setup, upstream: Servers::Bind, folder: String, place: Cohort::Layout::Place, spawner: Process::Spawner, ?host: String) -> void
      def initialize(setup:, upstream:, folder:, place:, spawner:, host: Process::Port::HOST)
        @setup = setup
        @member = setup.front
        @folder = folder
        @place = place
        @spawner = spawner
        @lease = Process::Port.lease(host:)
        @bind = Servers::Bind.new(host:, port: @lease.number)
        @launch = setup.front_launch(bind: @bind, upstream:, folder:, cores:)
        @log = ServerLog.new(File.join(folder, "front.log"))
      end

      # Spawns it and waits for the first answer that comes through it. The server is ready before.
      # Raises TrialError.
      #: (App::Request, Numeric) -> void
      def boot(request, limit_s)
        FileUtils.mkdir_p(@folder)
        @launch.files.each { |path, text| File.write(path, text, perm: 0o600) }
        @child = @spawner.spawn(@setup.front_command(@launch, @folder), log: @log.path,
                                                                        cpus: @place.cpus)
        Readiness.new(bind:, request:, child: @child, name:) { [1, 1] }.wait(limit_s)
      rescue TrialError => error
        raise TrialError.new(explained(error.reason), state: error.state, log_tail: log_tail)
      end

      #: () -> Array[Integer]
      def pids = @child ? @child.pids : []

      #: () -> Integer?
      def supervisor = @child&.supervisor

      # Raises TrialError, with this code, if its first process has ended.
      #: (String) -> void
      def must_live(code)
        return if @child.alive?

        @child.kill # what of it lives on
        reason = Readiness.ending(@child, code, name:)
        raise TrialError.new(explained(reason), log_tail: log_tail)
      end

      # As the kernel shows it, for the attestation.
      #: () -> { name: String, version: String?, workers: Integer }
      def attested = { name:, version:, workers: workers.size }

      # Load that is measured begins; `sent` requests so far.
      #: (Integer) -> void
      def measuring(sent) = @start = { cpu_ns:, sent: }

      # What it took itself from then on, and its memory; nil if nothing was measured.
      #: (Integer) -> { cpu_ns: Integer, requests: Integer, memory_bytes: Integer }?
      def cost(sent)
        return unless @start

        { cpu_ns: cpu_ns - @start[:cpu_ns], requests: sent - @start[:sent],
          memory_bytes: Probes::Memory.read(pids)[:tree_bytes] }
      end

      # Keeps its log small.
      #: () -> void
      def trim = @log.trim

      #: () -> String
      def log_tail = @child ? @child.log_tail(LOG_LINES) : ""

      # Ends it by the signal that lets requests under way be answered, then by force. Safe to call
      # again.
      #: (grace_s: Numeric) -> void
      def stop(grace_s:)
        @child&.stop(signal: @member::STOP_SIGNAL, grace_s:)
      ensure
        @lease.release
      end

      private

      def name = @member.label

      def cores = (@place.cpus || Process::CpuSet.available).size

      def cpu_ns = Probes::Cpu.tree_ns(pids)

      # Of the file that its first process runs: a script may have become another program.
      def version
        @member.version(File.readlink("/proc/#{@child.pid}/exe"))
      rescue SystemCallError
        nil # it has ended, or /proc does not show it
      end

      def workers
        return [@child.pid] unless @member::WORKER

        pids.select { |pid| @member::WORKER.match?(Process::Tree.command_line(pid)) }
      end

      # With the last line of its own log, which has times and numbers: no part of the cause.
      def explained(reason)
        last = App::LastWords.reason(log_tail)
        Reason.new(summary: [reason.summary, *last].join(": "), remedy: reason.remedy,
                   code: reason.code, values: { **reason.values, front: name })
      end
    end
  end
end
