# frozen_string_literal: true

module Mohs
  class Trial
    # Waits until a booting server is ready: a whole HTTP answer to the trial's first request and
    # the declared number of workers. An open port is not enough (a master listens long before its
    # workers have loaded the application).
    class Readiness
      # How often a closed port is tried, and the longest wait for one answer before the request is
      # sent again.
      RETRY_S = 0.004
      ANSWER_S = 30

      STATUSES = (100..599)

      # A server that answers 5xx may still be loading its application (jruby-rack does so): it gets
      # this long to recover before the answer counts as its own.
      RECOVERY_S = 3

      # When a server ended by itself.
      ENDINGS = { "ended_before_answer" => "ended before it answered",
                  "ended_before_job" => "ended before it ran a job",
                  "died_in_checks" => "died while its responses were checked",
                  "died_under_load" => "died while it was loaded" }.freeze

      # Why a server ended by itself, by one of these codes. Processes of its tree that survive are
      # daemons. name: what it is called.
      #: (Process::Child, String, ?name: String) -> Reason
      def self.ending(child, code, name: "the server")
        status = child.exit_status
        return Reason.new(summary: "#{name} #{ENDINGS.fetch(code)} (#{status})", code:,
                          values: { status: }) if child.pids.empty?

        Reason.new(summary: "#{name} daemonized; is that configured, in the server or the " \
                            "application?", code: "daemonized")
      end

      # request: the trial's first. workers: a block that gives [workers that are ready, those
      # declared]. name: what it is called.
      #: (bind: Servers::Bind, request: App::Request, child: Process::Child, ?name: String) { () -> [Integer, Integer] } -> void
      def initialize(bind:, request:, child:, name: "the server", &workers)
        @client = Http::Client.new(**bind.to_h)
        @port = bind.port
        @request = request
        @child = child
        @name = name
        @workers = workers
      end

      # Nanoseconds from exec to the end of the first answer that came while all workers were there.
      # Raises TrialError (refused) if the server ends or `limit_s` passes first, or if its answer
      # has no end.
      #: (Numeric) -> Integer
      def wait(limit_s)
        deadline = Clock.deadline(limit_s)
        while Clock.mono_ns < deadline
          refuse(Readiness.ending(@child, "ended_before_answer", name: @name)) unless @child.alive?
          return Clock.mono_ns - @child.started_ns if good?(ask(deadline)) && workers?

          sleep RETRY_S
        end
        refuse(late("within #{limit_s} s of its start"))
      end

      private

      # After an answer: are the declared workers there, too?
      def workers?
        @seen, @declared = @workers.call
        @seen >= @declared
      end

      def late(limit)
        return Reason.new(summary: "it answered, but #{@seen} of #{@declared} workers were seen " \
                                   "ready #{limit}", code: "workers_missing",
                          values: { seen: @seen, of: @declared }) if @seen

        Reason.new(summary: ["no answer #{limit}", @unfinished].compact.join(": "),
                   code: @unfinished ? "no_whole_answer" : "no_answer")
      end

      # Of the process that accepts our connections, looked up before the first request is sent.
      def must_be_ours(_port)
        return if @ours ||= !Probes::Listener.foreign?(@port, @child.pids)

        raise TrialError.new("another process listens on port #{@port}", code: "port_taken")
      end

      def refuse(reason)
        raise TrialError.new(reason, state: :refused)
      end

      def good?(status)
        return status.positive? if status < 500

        @recovery ||= Clock.deadline(RECOVERY_S)
        Clock.mono_ns > @recovery
      end

      # The status of a whole response; 0 if there was none. Another process may have taken the port
      # first: it gets no request, which can have secrets in it, and its responses are not the
      # server's.
      def ask(deadline)
        rest_s = (deadline - Clock.mono_ns) / 1e9
        status = @client.ask(@request, timeout_s: rest_s.clamp(0.001, ANSWER_S),
                                       connected: method(:must_be_ours)).status
        STATUSES.cover?(status) ? status : 0
      rescue Http::Client::Refused
        raise # it would be read to the limit again and again
      rescue Http::Client::Unfinished => error
        @unfinished = error.reason.summary
        0
      rescue TrialError
        0
      end
    end
  end
end
