# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class ChecksFileTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-app"

      test "without a file there is nothing to check" do
        assert_equal({ requests: [], checks: [] }, ChecksFile.load("/nowhere/checks.yml"))
      end

      test "requests and checks are read" do
        found = ChecksFile.parse(<<~YAML)
          requests:
            - post: /posts
              body: a=1
              weight: 3
              expect: made
          checks:
            - put: /posts/1
              send: b=2
              type: text/html
              body: whole
        YAML
        request = found[:requests].first
        check = found[:checks].first

        assert_equal ["POST", "/posts", "a=1", 3, "made"],
                     [request.method, request.path, request.body, request.weight, request.expect]
        assert_equal ["PUT", "b=2", 200, "text/html", "whole"],
                     [check.request.method, check.request.body, check.status, check.type,
                      check.body]
      end

      MISTAKES = {
        "an unknown key" => "checks:\n  - get: /\n    stauts: 200\n",
        "an entry without a method" => "requests:\n  - expect: x\n",
        "a path that could not be sent" => "requests:\n  - get: /\n  - get: x\n",
        "an entry that is no mapping" => "requests:\n  - /posts\n",
        "another section" => "posts: []\n",
        "no YAML" => "a: [",
      }.freeze

      test "what is wrong in a file is reported with its place" do
        assert_told "mistakes-checks", MISTAKES.transform_values { |text|
          assert_raises(StudyError) { ChecksFile.parse(text) }.message
        }
      end

      def reply(status: 200, body: "hello", type: "text/plain; charset=utf-8")
        Http::Reply.new(status:, reason: "", headers: { "content-type" => [type] }, body: body.b)
      end

      def check(**demands)
        Check.new(request: Request.build(path: "/", expect: demands.delete(:expect)), status: 200,
                  **demands)
      end

      test "an answer as demanded leaves nothing to complain about" do
        assert_nil check(type: "text/plain", body: "hello", expect: "ell").complaint(reply)
      end

      test "differences are reported" do
        assert_said(check.complaint(reply(status: 500)))
        assert_said(check(type: "text/html").complaint(reply))
        assert_equal '"hello" instead of "bye"', check(body: "bye").complaint(reply)
        assert_said(check(expect: "x").complaint(reply))
      end

      test "a long body is shown by its beginning" do
        complaint = check(body: "b" * 500).complaint(reply(body: "a" * 500))

        assert_operator complaint.size, :<, 200
      end
    end
  end
end
