# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class AnswerTest < TestCase
      def difference(body, status: 200, kind: :body, expected: "Hello, user 5, how are you?",
                     type: "text/plain", learned: "text/plain", expect: nil)
        answer = Answer.new(request: Request.build(path: "/"), status: 200, kind:, expect:,
                            type: learned, length: expected.bytesize, body: expected.b)
        headers = { "content-type" => [*type] }
        answer.difference(Http::Reply.new(status:, reason: "", headers:, body: body.b))
      end

      test "what repeats does not differ" do
        assert_nil difference("Hello, user 5, how are you?")
        assert_nil difference("x" * 27, kind: :length)
        assert_nil difference("anything", kind: :status)
      end

      test "the first byte that differs is shown with some of its neighbours" do
        assert_equal({ part: "body", offset: 12, right: "o, user 5, how are you?",
                       wrong: "o, user 7, how are you?" },
                     difference("Hello, user 7, how are you?"))
      end

      test "a body that ends early or goes on differs where it does" do
        assert_equal 5, difference("Hello")[:offset]
        assert_equal({ part: "body", offset: 27, right: "are you?", wrong: "are you??" },
                     difference("Hello, user 5, how are you??"))
        assert_equal "", difference("")[:wrong]
      end

      test "no more is shown than a line has room for" do
        texts = difference("y" * 5000, expected: "x" * 5000).values_at(:right, :wrong)

        assert_equal ["x" * 40, "y" * 40], texts
      end

      test "a secret of the request is masked as a whole, wherever the bytes shown are cut" do
        redact = Secrets::Redaction.new(["s3cr3t-t0ken"])
        { "x" * 30 => "denied: s3cr3t-t0ken", "denied: no" => "denied: no s3cr3t-t0ken" }
          .each do |expected, body|
          answer = Answer.new(request: Request.build(path: "/"), status: 200, kind: :body,
                              type: nil, length: expected.bytesize, body: expected)
          found = answer.difference(Http::Reply.new(status: 200, headers: {}, body:, redact:))

          assert_match(/\[secret\]\z/, found[:wrong])
        end
        answer = Answer.new(request: Request.build(path: "/"), status: 200, kind: :body,
                            type: nil, length: 1, body: "a#{'y' * 35}s3cr3t-t0ken")
        found = answer.difference(Http::Reply.new(status: 200, headers: {}, body: "b", redact:))
        assert_equal "a#{'y' * 35}[secret]", found[:right]
      end

      test "control characters and broken bytes are replaced" do
        assert_equal "·[31mred·?é·", difference("\e[31mred\n\xFFé\u202E")[:wrong]
      end

      test "the type is compared, if one was learned, and the text that is expected" do
        body = "Hello, user 5, how are you?"

        assert_equal({ part: "type", right: "text/plain", wrong: "text/html·" },
                     difference(body, type: "text/html\e; charset=utf-8"))
        assert_equal({ part: "type", right: "text/plain", wrong: nil }, difference(body, type: nil))
        assert_nil difference(body, type: "text/html", learned: nil)
        assert_nil difference("user 5", kind: :status, expect: "user")
        assert_equal({ part: "text", right: "Käse" },
                     difference("nothing", kind: :status, expect: "Käse"))
      end

      test "a body that varies is not empty, unless one of those learned was" do
        assert_equal({ part: "length", right: 27, wrong: 0 }, difference("", kind: :status))
        assert_nil difference("", kind: :status, expected: "")
      end

      test "where less than the body repeats, that is compared" do
        assert_equal({ part: "status", right: 200, wrong: 500 }, difference("oops", status: 500))
        assert_equal({ part: "status", right: 200, wrong: 500 },
                     difference("oops", status: 500, kind: :status))
        assert_equal({ part: "length", right: 27, wrong: 4 }, difference("oops", kind: :length))
      end
    end
  end
end
