# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class ResponseLearnerTest < TestCase
      # Answers each request with the next of its replies, the last one again and again.
      class Script
        attr_reader :asked

        def initialize(*replies)
          @replies = replies
          @asked = []
        end

        def ask(request)
          @asked << request
          @replies.size > 1 ? @replies.shift : @replies.first
        end
      end

      NOW = Time.at(1_700_000_000).utc # 22:13:20

      def reply(body = "hello", status: 200, reason: "OK", **headers)
        headers = headers.to_h { |name, value| [name.to_s.tr("_", "-"), [value]] }
        Http::Reply.new(status:, reason:, headers:, body: body.b)
      end

      def learn(script, request = Request.build(path: "/"), **options)
        @pauses = []
        pause = ->(seconds) { @pauses << seconds }
        ResponseLearner.new(script, pause:, now: -> { NOW }, **options).learn([request]).first
      end

      def refusal(...)
        error = assert_raises(TrialError) { learn(...) }
        assert_equal :refused, error.state
        error.message
      end

      test "a body that repeats is held against byte for byte" do
        answer = learn(Script.new(reply("hello", content_type: "text/plain; charset=utf-8")))

        assert_equal [200, "text/plain", 5, "hello", :body],
                     [answer.status, answer.type, answer.length, answer.body, answer.kind]
        assert_equal "200, 5 bytes, same body each time", answer.to_s
        assert_nil answer.note
        assert_empty @pauses
      end

      test "where only tokens change, the length is" do
        answer = learn(Script.new(reply("csrf=abc"), reply("csrf=xyz"), reply("csrf=123")))

        assert_equal :length, answer.kind
        assert_equal "200, 8 bytes, same length each time", answer.to_s
      end

      test "where the length changes too, the status is all there is" do
        answer = learn(Script.new(reply("1"), reply("22")))

        assert_equal :status, answer.kind
        assert_equal "200, body varies", answer.to_s
      end

      test "a body that shows the time is asked for again in the next second" do
        clock = Script.new(reply("at 00:13:20"), reply("at 00:13:20"), reply("at 00:13:20"),
                           reply("at 00:13:21"))
        answer = learn(clock)

        assert_equal [ResponseLearner::NEXT_SECOND_S], @pauses
        assert_equal :length, answer.kind

        epoch = [0, 0, 0, 1].map { |second| reply("t=#{1_700_000_000 + second}") }

        assert_equal :length, learn(Script.new(*epoch)).kind
      end

      test "as many tries as asked for" do
        script = Script.new(reply)
        learn(script, tries: 5)

        assert_equal 5, script.asked.size
      end

      test "a redirect is refused with where it leads and what to try" do
        message = refusal(Script.new(
          reply("", status: 302, location: "http://127.0.0.1:80/login?back=/",
                    set_cookie: "_shop=1; path=/"),
        ))

        assert_equal <<~TEXT.chomp, message
          GET / returned 302 to /login?back=/. A redirect says nothing about the app's speed.
          try   --get /login   or   --get /path --header "Cookie: _shop=..."
        TEXT
      end

      test "a redirect within the application is followed by nobody, but named" do
        message = refusal(Script.new(reply("", status: 301, location: "/en/products")))

        assert_includes message, "301 to /en/products"
        assert_includes message, "try   --get /en/products"
      end

      test "an application that forces TLS is told that a proxy took it off" do
        script = Script.new(reply("", status: 301, location: "https://127.0.0.1/"), reply("hello"))
        answer = learn(script)

        assert_equal "https", answer.request.header("X-Forwarded-Proto")
        assert_nil script.asked.first.header("X-Forwarded-Proto")
        assert_match(/X-Forwarded-Proto: https/, answer.note)
      end

      test "behind a proxy that took the TLS off, a redirect to a login is told as one" do
        script = Script.new(
          reply("", status: 301, location: "https://127.0.0.1/"),
          reply("", status: 302, location: "https://127.0.0.1:81/login", set_cookie: "_shop=1"),
        )

        assert_equal <<~TEXT.chomp, refusal(script)
          GET / returned 302 to /login. A redirect says nothing about the app's speed.
          try   --get /login   or   --get /path --header "Cookie: _shop=..."
        TEXT
      end

      test "a hint that ends in dots gets no more of them" do
        log = "ActiveRecord::ConnectionNotEstablished (connection to server at x failed: refused)"
        message = refusal(Script.new(reply("", status: 500)), log: -> { log })

        assert_operator message, :end_with?, "--env DATABASE_URL=postgresql://..."
      end

      test "one that does not believe it is refused" do
        message = refusal(Script.new(reply("", status: 301, location: "https://127.0.0.1/")))

        assert_includes message, "301 to https://127.0.0.1/"
        assert_includes message, "--header \"X-Forwarded-Proto: https\""
      end

      test "a missing page is refused with its title and a hint" do
        message = refusal(Script.new(reply("<title>Not here</title>", status: 404,
                                                                      reason: "Not Found")))

        assert_equal "GET / returned 404 Not Found, a page called \"Not here\". " \
                     "Name an existing page: --get /path.", message
      end

      test "an error is explained from the log where that is possible" do
        log = -> { "ActiveRecord::StatementInvalid (Could not find table 'posts')" }
        message = refusal(Script.new(reply("", status: 500, reason: "Internal Server Error")), log:)

        assert_match(
          /500 Internal Server Error, an empty body\. Its production database lacks tables/, message
        )
      end

      test "text that is expected has to be there" do
        message = refusal(Script.new(reply("<h1>Welcome</h1>")),
                          Request.build(path: "/", expect: "Products"))

        assert_equal "GET / returned 200, without the text \"Products\" (--expect), " \
                     "but with a page called \"Welcome\".", message
      end

      test "an error among good answers is refused" do
        assert_match(/returned 500/, refusal(Script.new(reply, reply, reply("", status: 500))))
      end

      test "what looks wrong with status 200 is noted" do
        login = "<form><input name='a'><input class='x' type=\"password\"></form>"

        assert_equal "looks like a login page instead of /products",
                     learn(Script.new(reply(login)), Request.build(path: "/products")).note
        assert_nil learn(Script.new(reply(login)), Request.build(path: "/users/sign_in")).note
        assert_match(/looks like an error page/,
                     learn(Script.new(reply("<title>Something went wrong</title>"))).note)
        assert_equal "the body is empty", learn(Script.new(reply(""))).note
        assert_match(/cookie each time/, learn(Script.new(reply("x", set_cookie: "a=1"))).note)
      end

      test "an empty body that has to be so is not noted" do
        assert_nil learn(Script.new(reply("", status: 204))).note
        assert_nil learn(Script.new(reply("")), Request.build(path: "/", method: "head")).note
      end

      test "checks that pass are silent, and the first that does not is told" do
        checks = [["/", "hello"], ["/a", "bye"]].map do |path, body|
          Check.new(request: Request.build(path:), status: 200, body:)
        end
        answers = ResponseLearner.new(Script.new(reply))

        assert_nil answers.verify(checks.first(1))
        error = assert_raises(TrialError) { answers.verify(checks) }

        assert_equal 'checks.yml: GET /a gave "hello" instead of "bye"', error.message
        assert_equal :refused, error.state
      end
    end
  end
end
