# frozen_string_literal: true

require "fileutils"

module Mohs
  class Trial
    # One private instance of a service, in a folder of its own: initialised, started, asked for its
    # settings, stopped. Failures raise TrialError with the end of its log.
    class PrivateService
      # Limits in seconds: ten times what these steps took on a busy machine.
      COMMAND_S = 120
      START_S = 120
      STOP_S = 60
      POLL_S = 0.02
      LOG_LINES = 200

      # MariaDB's first error is the reason; it ends with "[ERROR] Aborting".
      ERROR = /\[ERROR\] (.+)/

      ROOM = "Free space there, or set TMPDIR to a folder on a larger disk."
      private_constant :ROOM

      # member: its class in Services. attested: the settings it reported; nil before it is ready.
      attr_reader :member, :attested

      # member: a class of Services. folder: must not exist yet. tcp: whether it must be reachable
      # by TCP, too. scheme: of its addresses; nil: its own. cpus: its cores; nil: any.
      #: (singleton(Services::Base), folder: String, password: String, tcp: bool, spawner: Process::Spawner, ?scheme: String?, ?cpus: Array[Integer]?) -> void
      def initialize(member, folder:, password:, tcp:, spawner:, scheme: nil, cpus: nil)
        @member = member
        @folder = folder
        @cpus = cpus
        @spawner = spawner
        @account = member.account
        @lease = Process::Port.lease if tcp
        @service = member.new(Services::Place.new(folder:, port: @lease&.number, password:,
                                                  account: @account, scheme:))
      end

      # Creates its folder, with new data or with a copy of the data of `source`, which must be
      # stopped.
      #: (?Trial::PrivateService?) -> void
      def create(source = nil)
        Dir.mkdir(@folder, 0o700)
        own(@folder)
        return copy(source) if source

        write
        @service.initialise.each { |command| run(command) }
      end

      # Everything in its folder, for cp.
      #: () -> String
      def contents = File.join(@folder, ".")

      # Starts it. When this returns, it is ready and has reported its settings.
      #: () -> void
      def start
        write
        File.write(log, "", perm: 0o600)
        @child = @spawner.spawn(@service.start, log:, cpus: @cpus)
        await
        @service.release.each { |command| run(command) }
        @attested = @service.attested(@service.inquiries.map { |command| run(command) })
      end

      # Creates empty databases with these names.
      #: (Array[String]) -> void
      def databases(names) = @service.create(names).each { |command| run(command) }

      # Stops it cleanly. When this returns, its files are complete and can be copied; they stay.
      #: () -> void
      def finish
        @service.settle.each { |command| run(command) }
        how = @child.stop(signal: @member::STOP_SIGNAL, grace_s: STOP_S)
        failed("did not stop", "service_stuck") unless how == :stopped
        @complete = true
      ensure
        stop
      end

      # Stops it by force and deletes its data, since nobody needs them any more: a run of many
      # trials would fill the disk. Safe to call again, and after #finish.
      #: () -> void
      def stop
        @child&.kill
      ensure
        @lease&.release
        FileUtils.rm_rf([@folder, log]) unless @complete
      end

      #: (Array[String]) -> Hash[String, String]
      def env(names) = @service.env(names)

      #: () -> Array[Integer]
      def pids = @child ? @child.pids : []

      #: () -> Integer?
      def supervisor = @child&.supervisor

      # "unix" or "tcp": how applications reach it.
      #: () -> String
      def address = @lease ? "tcp" : "unix"

      private

      def copy(source)
        run(@service.command(["cp", "-a", "--reflink=auto", source.contents, @folder]))
      end

      # Not in its folder, which is copied.
      def log = "#{@folder}.log"

      # The files are readable only by its account: they include its password.
      def write
        @service.files.each do |path, text|
          File.write(path, text, perm: 0o600)
          own(path)
        end
      end

      def own(path) = @account && File.chown(@account.uid, @account.gid, path)

      def await
        deadline = Clock.deadline(START_S)
        until ready?
          failed("ended before it was ready (#{@child.exit_status})", "service_ended") unless
            @child.alive?
          failed("was not ready after #{START_S} s", "service_silent") if
            Clock.mono_ns > deadline

          sleep POLL_S
        end
      end

      def ready?
        ready = @member::READY
        ready ? Process::Text.utf8(File.binread(log)).match?(ready) : accepts?
      end

      def accepts?
        @service.listening.connect(&:close)
        true
      rescue SystemCallError
        false
      end

      # Returns what the command printed.
      def run(command)
        result = Process::Capture.call(command, timeout_s: COMMAND_S, spawner: @spawner)
        return result.stdout if result.success?

        name = command.called
        failed("#{name} failed (#{result.status})", "service_command", log: result.stderr, name:)
      end

      def failed(what, code, log: @child&.log_tail(LOG_LINES), **values)
        full = log.to_s.match?(LogExcerpt::DISK_FULL)
        why = full ? "no space left for its data in #{File.dirname(@folder)}" : reason(log.to_s)
        reason = Reason.new(summary: "#{@member::TITLE} #{[what, *why].join(': ')}", code:,
                            remedy: (ROOM if full), values: { service: @member.label, **values })
        raise TrialError.new(reason, state: :refused, log_tail: log.to_s)
      end

      def reason(log) = log[ERROR, 1]&.then { |line| Printable.cut(line) } || LogExcerpt.reason(log)
    end
  end
end
