# frozen_string_literal: true

require "digest"
require "time"

module Mohs
  class App
    # Learns what a right answer is from the first ones, and refuses to measure what says nothing
    # about the application: redirects, errors, answers without the text that the person expects.
    class Answers
      # A page that shows the time repeats within a second and differs in the next: it is asked
      # again after this long.
      NEXT_SECOND_S = 1.1

      # An Answer for each of `requests`. Raises TrialError: refused where an answer is not one to
      # measure, failed where none comes. `log` returns the server's log so far, in which a known
      # trouble is looked for.
      #: (Array[App::Request], ?host: String, ?port: Integer?, ?unix: String?, ?tries: Integer, ?timeout_s: Numeric, ?log: Proc) -> Array[App::Answer]
      def self.learn(requests, tries: 3, log: -> { "" }, **server)
        new(Asker.new(**server), tries:, log:).learn(requests)
      end

      # pause and now: the clock, for tests.
      #: (App::Asker, ?tries: Integer, ?log: Proc, ?pause: Proc, ?now: Proc) -> void
      def initialize(asker, tries: 3, log: -> { "" }, pause: Kernel.method(:sleep),
                     now: Time.method(:now))
        @asker = asker
        @tries = tries
        @log = log
        @pause = pause
        @now = now
      end

      #: (Array[App::Request]) -> Array[App::Answer]
      def learn(requests) = requests.map { |request| learn_one(request) }

      # Holds the application's own checks (checks.yml) against the server. Raises TrialError
      # (refused) at the first that it does not pass.
      #: (Array[App::Check]) -> void
      def verify(checks)
        checks.each do |check|
          complaint = check.complaint(@asker.ask(check.request)) or next
          raise TrialError.new("checks.yml: #{check.request} gave #{complaint}", state: :refused)
        end
        nil
      end

      private

      def learn_one(request)
        request, first = behind_proxy(request, @asker.ask(request))
        replies = [first] + Array.new(@tries - 1) { @asker.ask(request) }
        replies << ask_in_the_next_second(request) if same_body?(replies) && shows_time?(first)
        replies.each { |reply| admit(request, reply) }
        answer(request, replies)
      end

      # An application that forces TLS sends plain requests to https://, unless a proxy says that it
      # has taken the TLS off. We are where its proxy is in production, so we say so too.
      def behind_proxy(request, reply)
        return [request, reply] unless Redirect.to_tls?(request, reply)

        forwarded = request.with_headers("X-Forwarded-Proto" => "https")
        second = @asker.ask(forwarded)
        Redirect.to_tls?(request, second) ? [request, reply] : [forwarded, second]
      end

      def ask_in_the_next_second(request)
        @pause.call(NEXT_SECOND_S)
        @asker.ask(request)
      end

      def same_body?(replies) = replies.map(&:body).uniq.size == 1

      # Does a body contain the present second, in whatever zone?
      def shows_time?(reply)
        (-2..0).map { |offset| @now.call + offset }.any? do |time|
          reply.body.match?(/\b(?:\d\d:#{time.strftime('%M:%S')}|#{time.to_i})\b/n)
        end
      end

      def admit(request, reply)
        refusal = Refusal.of(request, reply, log: @log) or return
        raise TrialError.new(refusal, state: :refused)
      end

      def answer(request, replies)
        first = replies.first
        lengths = replies.map { |reply| reply.body.bytesize }.uniq
        kind = lengths.one? ? :length : :status
        kind = :body if same_body?(replies)
        kind = :status unless replies.map(&:status).uniq.one?
        Answer.new(request:, status: first.status, type: first.type, length: first.body.bytesize,
                   digest: Digest::SHA256.hexdigest(first.body), body: first.body, kind:,
                   note: Suspicion.of(request, first))
      end
    end
  end
end
