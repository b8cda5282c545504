# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class AnswerDiagnosisTest < TestCase
      # Answers as the block says, which gets the number of the request; from the number `meet` on
      # each waits until there have been two at once.
      class Server
        attr_reader :asked, :most

        def initialize(meet: nil, &body)
          @meet = meet
          @body = body
          @lock = Mutex.new
          @asked = @now = @most = 0
        end

        def ask(_request, timeout_s: nil, connected: nil) # rubocop:disable Lint/UnusedMethodArgument
          number = enter
          connected&.call(number)
          Thread.pass while @meet && number >= @meet && @most < 2
          body = @body.call(number)
          raise TrialError.new("nothing", code: "no_answer") unless body

          Http::Reply.new(status: 200, reason: "OK", headers: {}, body: body.b)
        ensure
          @lock.synchronize { @now -= 1 }
        end

        private

        def enter
          @lock.synchronize do
            @most = [@most, @now += 1].max
            @asked += 1
          end
        end
      end

      RIGHT = "user 5"
      ANSWER = Answer.new(request: Request.build(path: "/"), status: 200, length: 6, body: RIGHT,
                          kind: :body)

      def diagnose(server, share = 0.1, connections: 4, **options)
        AnswerDiagnosis.new(server, answers: [ANSWER], connections:, **options).call(share)
      end

      test "a server that is right one at a time is asked at once, for a wrong answer" do
        server = Server.new(meet: 67) { |number| number > 66 ? "user 7" : RIGHT }
        found = diagnose(server)

        assert_equal [4, { asked: 66, wrong: 0 }], found.values_at(:connections, :alone)
        assert_equal({ request: "GET /", part: "body", offset: 5, right: RIGHT, wrong: "user 7" },
                     found[:difference])
        assert_operator server.most, :>, 1
      end

      # Answers as to a stranger from the third request on.
      SessionOfThree = Struct.new(:asked) do
        def ask(_request, **)
          self.asked += 1
          return Http::Reply.new(status: 200, reason: "OK", headers: {}, body: RIGHT.b) if asked < 3

          Http::Reply.new(status: 302, reason: "Found", body: "".b,
                          headers: { "location" => ["/login?back=/me"] })
        end
      end

      test "a page that leads to the login in spite of its cookie has lost its session" do
        found = %w[a=b].push(nil).map do |cookie|
          headers = { "Cookie" => cookie }.compact
          answer = Answer.new(**ANSWER.to_h, request: Request.build(path: "/me", headers:))
          AnswerDiagnosis.new(SessionOfThree.new(0), answers: [answer], connections: 1)
                         .call(0.5)[:difference].values_at(:part, :signed_out)
        end

        assert_equal [["status", true], ["status", nil]], found
      end

      test "the rarer a fault is, the more often it is asked for" do
        asked = [1.0, 0.5, 0.1, 0.01, 0.0].map do |share|
          diagnose(Server.new { RIGHT }, share, connections: 1)[:alone][:asked]
        end

        assert_equal [20, 20, 66, 688, 1000], asked
      end

      test "with one connection nothing is asked at once" do
        server = Server.new { RIGHT }

        assert_nil diagnose(server, connections: 1)[:difference]
        assert_equal [66, 1], [server.asked, server.most]
      end

      test "answers that are wrong one at a time are all that is needed" do
        server = Server.new { |number| number.even? ? "user 7" : RIGHT }

        assert_equal({ asked: 66, wrong: 33 }, diagnose(server)[:alone])
        assert_equal 66, server.asked
      end

      test "it is known which worker was wrong" do
        worker_of = ->(port) { 100 + (port % 3) unless port == 1 }
        server = Server.new { |number| (number % 3).zero? ? "user 7" : RIGHT }
        found = diagnose(server, connections: 1, worker_of:)

        assert_equal [{ pid: 100, asked: 22, wrong: 22 }, { pid: 101, asked: 21, wrong: 0 },
                      { pid: 102, asked: 22, wrong: 0 }],
                     found[:workers].sort_by { |one| one[:pid] }
      end

      test "a request without an answer counts as neither" do
        server = Server.new { |number| RIGHT if number.odd? }

        assert_equal({ asked: 33, wrong: 0 }, diagnose(server, connections: 1)[:alone])
      end

      test "a slow server is not asked for longer than the time for it" do
        now_s = -1
        clock = Object.new
        clock.define_singleton_method(:deadline) { |seconds| mono_ns + (seconds * 1_000_000_000) }
        clock.define_singleton_method(:mono_ns) { (now_s += 1) * 1_000_000_000 }

        assert_equal 3, diagnose(Server.new { RIGHT }, connections: 1, clock:)[:alone][:asked]
      end
    end
  end
end
