# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    # Requests of a log, which may be of pages that are gone.
    class ResponseLearnerOptionalTest < TestCase
      GONE = Http::Reply.new(status: 404, reason: "Not Found", headers: {}, body: "")
      GOOD = Http::Reply.new(status: 200, reason: "OK", headers: {}, body: "hello")

      NOT_FOUND = { status: 404, phrase: "Not Found", seen: {} }.freeze

      # Refuses what is asked for in `gone`.
      Server = Struct.new(:gone) do
        def ask(request) = gone.include?(request.path) ? GONE : GOOD
      end

      def learn(gone, weights)
        requests = weights.map { |path, weight| Request.build(path:, weight:, optional: true) }
        @answers = ResponseLearner.new(Server.new(gone))
        @answers.learn(requests).map { |answer| answer.request.path }
      end

      test "those that are refused are left out, and told" do
        assert_equal %w[/a /c], learn(%w[/b], { "/a" => 5, "/b" => 4, "/c" => 1 })
        assert_equal ["/b"], @answers.left_out.keys.map(&:path)
        assert_equal({ requests: 1, of: 3, share: 0.4, first: "GET /b",
                       refusal: { code: "error_status", values: NOT_FOUND } },
                     @answers.left_out_facts)
        assert_equal ["/a"], learn([], { "/a" => 1 })
        assert_nil @answers.left_out_facts
      end

      test "a response without an end is left out of a log's mix, and refused alone" do
        server = Object.new
        def server.ask(request)
          return GOOD unless request.path == "/events"

          raise Http::Client::Refused.new(request, "answered with a response that has no end (x)")
        end
        learner = ResponseLearner.new(server)
        requests = { "/a" => 3, "/events" => 1 }.map do |path, weight|
          Request.build(path:, weight:, optional: true)
        end

        assert_equal(["/a"], learner.learn(requests).map { |answer| answer.request.path })
        assert_equal ["GET /events", "unreadable",
                      { fact: "answered with a response that has no end (x)" }],
                     [learner.left_out_facts[:first], *learner.left_out_facts[:refusal].values]
        error = assert_raises(TrialError) { learner.learn([Request.build(path: "/events")]) }
        assert_equal :refused, error.state
      end

      test "where most of them are refused, nothing is measured" do
        error = assert_raises(TrialError) { learn(%w[/a], { "/a" => 6, "/b" => 4 }) }

        assert_equal [:refused, "mix_refused"], [error.state, error.reason.code]
        assert_equal({ requests: 1, of: 2, share: 0.6, first: "GET /a",
                       refusal: { code: "error_status", values: NOT_FOUND } }, error.reason.values)
      end

      test "one that was named has to be answered, also beside those of a log" do
        requests = [Request.build(path: "/", optional: true), Request.build(path: "/must")]

        assert_raises(TrialError) { ResponseLearner.new(Server.new(%w[/must])).learn(requests) }
      end

      test "silence is no refusal" do
        silent = Object.new
        silence = TrialError.new("silence", code: "no_answer")
        silent.define_singleton_method(:ask) { |_| raise silence }
        request = Request.build(path: "/", optional: true)
        error = assert_raises(TrialError) { ResponseLearner.new(silent).learn([request]) }

        assert_equal :failed, error.state
      end
    end
  end
end
