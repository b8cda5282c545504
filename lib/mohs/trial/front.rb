# frozen_string_literal: true

require "fileutils"

module Mohs
  class Trial
    # The front of a trial's server, from its start to its end: it gets the load and the checks, and
    # its processes count as the server's in everything but the number of workers.
    class Front
      # Lines of its log that are kept: once the server is gone, the log gets one for each request.
      LOG_LINES = 20

      #: () -> Servers::Bind
      attr_reader :bind

      # upstream: where the server listens. folder: of the front alone. place: the trial's. host:
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

      # Spawns the front and waits for the first response that comes through it. The server must be
      # ready. Raises TrialError.
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

      # Raises TrialError with this code if its first process has ended.
      #: (String) -> void
      def must_live(code)
        return if @child.alive?

        @child.kill # its surviving processes
        reason = Readiness.ending(@child, code, name:)
        raise TrialError.new(explained(reason), log_tail: log_tail)
      end

      # The front as the kernel shows it, for the attestation.
      #: () -> { name: String, version: String?, workers: Integer }
      def attested = { name:, version:, workers: workers.size }

      # Called when measured load begins, after `sent` requests.
      #: (Integer) -> void
      def measuring(sent) = @start = { cpu_ns:, sent: }

      # The front's own CPU time and requests since then, and its memory; nil if nothing was
      # measured.
      #: (Integer) -> { cpu_ns: Integer, requests: Integer, memory_bytes: Integer }?
      def cost(sent)
        return unless @start

        { cpu_ns: cpu_ns - @start[:cpu_ns], requests: sent - @start[:sent],
          memory_bytes: Probes::Memory.read(pids)[:tree_bytes] }
      end

      # Keeps the log small.
      #: () -> void
      def trim = @log.trim

      #: () -> String
      def log_tail = @child ? @child.log_tail(LOG_LINES) : ""

      # Stops the front by the signal that lets it finish requests under way, then by force. Safe to
      # call again.
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

      # The version from the file that its first process runs: a script may have become another
      # program.
      def version
        @member.version(File.readlink("/proc/#{@child.pid}/exe"))
      rescue SystemCallError
        nil # it has ended, or /proc does not show it
      end

      def workers
        return [@child.pid] unless @member::WORKER

        pids.select { |pid| @member::WORKER.match?(Process::Tree.command_line(pid)) }
      end

      # Adds the last line of the front's own log to the summary. It has times and numbers, so it is
      # not part of the cause.
      def explained(reason)
        last = LogExcerpt.reason(log_tail)
        Reason.new(summary: [reason.summary, *last].join(": "), remedy: reason.remedy,
                   code: reason.code, values: { **reason.values, front: name })
      end
    end
  end
end
