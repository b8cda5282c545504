# frozen_string_literal: true

require "io/wait"
require "monitor"

module Mohs
  module Process
    # One command below its supervisor, which is below its guard (ext/mohs/core/supervisor.h). Both
    # report on one pipe, which is read on demand; requests to the supervisor go through another.
    # End it with `stop` or `kill`: they also end what the command left behind, and reap the guard.
    class Child
      # Why a command did not start: the stage that failed, and the SystemCallError.
      Failure = Struct.new(:stage, :error, keyword_init: true)

      # The structs of core/supervisor.h: kind, value, time_ns; and order, value.
      REPORT = "l<l<q<"
      REPORT_BYTES = 16
      REQUEST = "l<l<"
      SPAWNED, NOT_MOVED, NOT_PINNED, NOT_STARTED, ENDED, GONE, READY, LEFT = *1..8
      STAGES = { NOT_MOVED => :moved, NOT_PINNED => :pinned, NOT_STARTED => :started }.freeze
      SIGNAL, KILL = *1..2

      # What a shell returns for a command that is not found, and for one that cannot be run.
      NOT_FOUND = 127
      NOT_RUNNABLE = 126

      # Longer than the supervisor and then its guard take before they give up.
      KILL_DEADLINE_S = 20

      # Ruby's crash reports have several hundred thousand bytes.
      LOG_TAIL_BYTES = 1_000_000

      # pid: of the command (nil if it did not start). started_ns: CLOCK_MONOTONIC right before
      # exec. failure: nil if it started. exit_status: of the command itself; nil while it runs.
      # supervisor: the process that the whole tree hangs below (nil if there was none).
      attr_reader :pid, :started_ns, :failure, :supervisor

      # pid: of our child process, which guards the supervisor. control, reports: the descriptors of
      # its pipes.
      #: (pid: Integer, control: Integer, reports: Integer, log: String?) -> void
      def initialize(pid:, control:, reports:, log:)
        @guard = pid
        @control = IO.for_fd(control, "w")
        @reports = IO.for_fd(reports, "r")
        @log = log
        @lock = Monitor.new
        @started_ns = Clock.mono_ns
        receive(nil) until @pid || @exit_status
      end

      #: () -> ExitStatus?
      def exit_status
        @lock.synchronize do
          nil while !@gone && receive(0)
          @exit_status
        end
      end

      #: () -> bool
      def alive? = exit_status.nil?

      # All living processes that the command or its children started, daemons included.
      #: () -> Array[Integer]
      def pids = @gone || @supervisor.nil? ? [] : Tree.pids(@supervisor) - [@supervisor]

      # Sends a signal ("TERM") to the command. Does nothing once the command has ended, so the
      # signal can never reach another process that got the same number.
      #: (String) -> void
      def signal(name) = request(SIGNAL, Signal.list.fetch(name.to_s))

      # Waits at most `seconds` until the command itself has ended; nil if it has not.
      #: (Numeric) -> ExitStatus?
      def wait(seconds)
        deadline = Clock.deadline(seconds)
        until exit_status
          left_s = (deadline - Clock.mono_ns) / 1e9
          return nil if left_s <= 0

          @reports.wait_readable(left_s)
        end
        exit_status
      end

      # Signals the command to end, waits at most `grace_s`, then kills whatever is left of its
      # tree.
      #: (signal: String, grace_s: Numeric) -> (:stopped | :killed)
      def stop(signal:, grace_s:)
        signal(signal)
        outcome = wait(grace_s) ? :stopped : :killed
        kill
        outcome
      end

      # Kills the whole tree and returns when it is gone. Safe to call again.
      #: () -> void
      def kill
        request(KILL)
        deadline = Clock.deadline(KILL_DEADLINE_S)
        until @gone
          left_s = (deadline - Clock.mono_ns) / 1e9
          break if left_s <= 0

          @lock.synchronize { receive(left_s) }
        end
        release
        outlived if @left || !@gone
      end

      # The last lines of the log, made printable.
      #: (Integer) -> String
      def log_tail(lines)
        return "" unless @log && File.exist?(@log)

        File.open(@log, "rb") do |file|
          file.seek([file.size - LOG_TAIL_BYTES, 0].max)
          Printable.call(file.read).lines.last(lines).join
        end
      end

      private

      # Reads one report, waiting `seconds` for it (nil: without a limit). Returns nil if there is
      # none.
      def receive(seconds)
        return nil unless @reports.wait_readable(seconds)

        take(*@reports.read_nonblock(REPORT_BYTES).unpack(REPORT))
      rescue EOFError
        lose
      end

      def take(kind, value, time_ns)
        case kind
        when READY then @supervisor = value
        when SPAWNED then @pid, @started_ns = value, time_ns
        when ENDED then @exit_status ||= ExitStatus.from_wait(value)
        when GONE then @gone = true
        when LEFT then @left, @gone = value, true
        else fail_to_start(STAGES.fetch(kind), SystemCallError.new(value))
        end
      end

      def fail_to_start(stage, error)
        @failure = Failure.new(stage:, error:).freeze
        code = error.is_a?(Errno::ENOENT) ? NOT_FOUND : NOT_RUNNABLE
        @exit_status = ExitStatus.new(code:).freeze
      end

      # Supervisor and guard ended without a report: somebody killed both, and the command died with
      # the supervisor (PR_SET_PDEATHSIG).
      def lose
        @exit_status ||= ExitStatus.new(signal: Signal.list.fetch("KILL")).freeze
        @gone = true
      end

      def request(order, value = 0)
        @control.syswrite([order, value].pack(REQUEST)) unless @control.closed?
      rescue Errno::EPIPE
        nil # the supervisor has ended; its reports say so
      end

      # Raised only once: a clean-up may call kill again.
      def outlived
        pid = @left || @guard
        @left = nil
        @gone = true
        raise EnvironmentError, "process #{pid} (#{Tree.command_line(pid)[0, 80]}) can't be " \
                                "killed: it belongs to another user, or is stuck in the kernel " \
                                "(/proc/#{pid}/wchan). It still runs: end it, as root if need be."
      end

      def release
        return if @control.closed?

        @control.close
        @reports.close
        @gone ? ::Process.wait(@guard) : ::Process.detach(@guard)
      rescue Errno::ECHILD
        nil # somebody waits for all children of this process
      end
    end
  end
end
