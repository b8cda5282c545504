# frozen_string_literal: true

module Mohs
  class App
    # Finds out why a server that responded correctly at first responded wrongly under load: sends
    # more requests, one at a time and, if all of those responses are right, several at once, to get
    # a wrong response to compare. The result is counts; Analysis::Checks::Answers judges them.
    class AnswerDiagnosis
      # Enough requests, as far as time allows, that a fault as frequent one at a time as under load
      # is missed with at most this probability.
      CHANCE = 0.001
      ALONE = (20..1000)
      ALONE_S = 3

      # Timeout for one response.
      ANSWER_S = 2

      # Requests of each client, and seconds, after which to stop looking for a wrong response to
      # concurrent requests.
      AT_ONCE = 200
      AT_ONCE_S = 2
      MOST_CLIENTS = 16

      # worker_of: returns the pid of the process that accepted the connection from the given local
      # port; nil if unknown.
      #: (Http::Client, answers: Array[App::Answer], connections: Integer, ?worker_of: ^(Integer) -> Integer?, ?clock: Module) -> void
      def initialize(client, answers:, connections:, worker_of: ->(_) {}, clock: Clock)
        @client = client
        @answers = answers
        @connections = connections
        @worker_of = worker_of
        @clock = clock
        @lock = Mutex.new
      end

      # Takes the share of responses under load that were wrong.
      #   connections  number of connections of the load
      #   alone        { asked:, wrong: } for requests sent one at a time
      #   workers      [{ pid:, asked:, wrong: }] for the same requests by worker, where it is known
      #   difference   the first wrong response: Answer#difference with its `request`, and
      #                `signed_out`: true if that has a cookie and was sent to a login page; nil if
      #                all responses here were right
      # A request without a response counts as neither asked nor wrong.
      #: (Float) -> Hash[Symbol, untyped]
      def call(share)
        @difference = nil
        @by_worker = Hash.new { |all, pid| all[pid] = { pid:, asked: 0, wrong: 0 } }
        alone = alone(wanted(share))
        at_once if alone[:wrong].zero? && @connections > 1
        { connections: @connections, alone:, workers: @by_worker.values, difference: @difference }
      end

      private

      def wanted(share)
        share = share.clamp(0.0001, 0.9999)
        (Math.log(CHANCE) / Math.log(1 - share)).ceil.clamp(ALONE)
      end

      def alone(count)
        deadline = @clock.deadline(ALONE_S)
        counts = { asked: 0, wrong: 0 }
        @answers.cycle.first(count).each do |answer|
          break if @clock.mono_ns > deadline

          pid = nil
          wrong = ask(answer, connected: ->(port) { pid = @worker_of.call(port) })
          [counts, (@by_worker[pid] if pid)].compact.each { |one| add(one, wrong) }
        end
        counts
      end

      def at_once
        deadline = @clock.deadline(AT_ONCE_S)
        threads = Array.new([@connections, MOST_CLIENTS].min) do
          Thread.new { until_wrong(deadline) }
        end
        threads.each(&:join)
      ensure
        threads&.each { |thread| thread.kill.join }
      end

      def until_wrong(deadline)
        @answers.cycle.first(AT_ONCE).each do |answer|
          ask(answer)
          break if @difference || @clock.mono_ns > deadline
        end
      end

      # Was the response wrong? nil if there was none.
      def ask(answer, **options)
        reply = @client.ask(answer.request, timeout_s: ANSWER_S, **options)
        difference = answer.difference(reply) or return false
        signed_out = answer.request.header("Cookie") && Redirect.to_login?(answer.request, reply)
        keep(answer, signed_out ? { **difference, signed_out: } : difference)
        true
      rescue TrialError
        nil
      end

      def keep(answer, difference)
        @lock.synchronize { @difference ||= { request: answer.request.to_s, **difference } }
      end

      def add(counts, wrong)
        return if wrong.nil?

        counts[:asked] += 1
        counts[:wrong] += 1 if wrong
      end
    end
  end
end
