# frozen_string_literal: true

module Mohs
  class Trial
    # Waits until a booting server is ready: a complete HTTP response to the trial's first request,
    # and the declared number of workers. An open port is not enough (a master listens long before
    # its workers have loaded the application).
    class Readiness
      # Seconds between two attempts on a closed port, and the longest wait for one response before
      # the request is sent again.
      RETRY_S = 0.004
      ANSWER_S = 30

      STATUSES = (100..599)

      # A server that responds with 5xx may still be loading its application (jruby-rack does so):
      # it gets this many seconds to recover before the response counts as its own.
      RECOVERY_S = 3

      # When a server ended by itself.
      ENDINGS = { "ended_before_answer" => "ended before it answered",
                  "ended_before_job" => "ended before it ran a job",
                  "died_in_checks" => "died while its responses were checked",
                  "died_under_load" => "died under load" }.freeze

      # Why a server ended by itself; code: a key of ENDINGS. If processes of its tree survive, it
      # has daemonized. name: what the reason calls it.
      #: (Process::Child, String, ?name: String) -> Reason
      def self.ending(child, code, name: "the server")
        status = child.exit_status
        return Reason.new(summary: "#{name} #{ENDINGS.fetch(code)} (#{status})", code:,
                          values: { status: }) if child.pids.empty?

        Reason.new(summary: "#{name} daemonized; is that configured, in the server or the " \
                            "application?", code: "daemonized")
      end

      # request: the trial's first. workers: a block that returns [number of workers ready, number
      # declared]. name: what reasons call the server. streams: as for Http::Client.
      #: (bind: Servers::Bind, request: App::Request, child: Process::Child, ?name: String, ?streams: Study::Streams?) { () -> [Integer, Integer] } -> void
      def initialize(bind:, request:, child:, name: "the server", streams: nil, &workers)
        @client = Http::Client.new(**bind.to_h, streams:)
        @port = bind.port
        @request = request
        @child = child
        @name = name
        @workers = workers
      end

      # Nanoseconds from exec to the end of the first response that came when all workers were
      # ready. Raises TrialError (refused) if the server ends or `limit_s` passes first, or if a
      # response is too long.
      #: (Numeric) -> Integer
      def wait(limit_s)
        deadline = Clock.deadline(limit_s)
        while Clock.mono_ns < deadline
          refuse(Readiness.ending(@child, "ended_before_answer", name: @name)) unless @child.alive?
          return Clock.mono_ns - @child.started_ns if good?(ask(deadline)) && workers?

          sleep RETRY_S
        end
        refuse(late(limit_s))
      end

      private

      # After a response: whether the declared workers are ready, too.
      def workers?
        @seen, @declared = @workers.call
        @seen >= @declared
      end

      def late(limit_s)
        limit = "within #{limit_s} s of its start"
        return Reason.new(summary: "it answered, but #{@seen} of #{@declared} workers were seen " \
                                   "ready #{limit}", code: "workers_missing",
                          values: { seen: @seen, of: @declared }) if @seen

        Reason.new(summary: ["no answer #{limit}", @unfinished].compact.join(": "),
                   code: @unfinished ? "no_whole_answer" : "no_answer")
      end

      # Raises TrialError if another process accepts the connections. Checked before the first
      # request is sent.
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

      # The status of a complete response; 0 if there was none. Another process may have taken the
      # port first: it gets no request, which can contain secrets, and its responses are not the
      # server's.
      def ask(deadline)
        rest_s = (deadline - Clock.mono_ns) / 1e9
        status = @client.ask(@request, timeout_s: rest_s.clamp(0.001, ANSWER_S),
                                       connected: method(:must_be_ours)).status
        STATUSES.cover?(status) ? status : 0
      rescue Http::Client::Refused
        raise # otherwise it would be read up to the limit again and again
      rescue Http::Client::Unfinished => error
        @unfinished = error.reason.summary
        0
      rescue TrialError
        0
      end
    end
  end
end
