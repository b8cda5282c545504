# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class ResponseLearnerTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-app"

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
        assert_nil error.reason.summary
        [error.reason.code, error.reason.values]
      end

      test "a body that repeats is held against byte for byte" do
        answer = learn(Script.new(reply("hello", content_type: "text/plain; charset=utf-8")))

        assert_equal [200, "text/plain", 5, "hello", :body],
                     [answer.status, answer.type, answer.length, answer.body, answer.kind]
        assert_nil answer.note
        assert_empty @pauses
      end

      test "a response that depends on Accept may not be what a browser gets" do
        note = lambda do |type, vary, method: "get", **headers|
          request = Request.build(method:, path: "/", headers:)
          learn(Script.new(reply("{}", content_type: type, vary:)), request).note
        end

        assert_said(note.call("application/hal+json", "Accept-Encoding, Accept"))
        assert_nil note.call("application/json", "Accept", method: "post")
        assert_nil note.call("text/html; charset=utf-8", "Accept")
        assert_nil note.call("application/json", "Accept-Encoding, X-Accept")
        assert_nil note.call("application/json", "Accept", "Accept" => "application/json")
      end

      # Answers by the cookie; nil: not in time.
      class Doorman
        attr_reader :waited_s

        def initialize(with, *without)
          @with, @without, @waited_s = with, without, []
        end

        def ask(request, timeout_s: 30)
          return @with if request.header("Cookie")

          @waited_s << timeout_s
          answer = @without.size > 1 ? @without.shift : @without.first
          return answer if answer

          raise TrialError.new("no answer", code: "no_answer")
        end
      end

      # The notes on requests, after those without their cookie.
      def cookie_notes(doorman, *paths, method: "get")
        learner = ResponseLearner.new(doorman, pause: ->(_) {})
        requests = paths.map do |path|
          Request.build(path:, method:, headers: { "cookie" => "a=b" })
        end
        answers = learner.learn(requests)
        assert_empty doorman.waited_s, "while the server is measured"
        learner.annotate(answers).map(&:note)
      end

      test "a page that is no different without the cookie says so" do
        asked = lambda do |with, without, method = "get"|
          cookie_notes(Doorman.new(with, without), "/", method:).first
        end

        assert_said(asked.call(reply("please log in"), reply("please log in")))
        assert_nil asked.call(reply("hello Ann"), reply("please log in"))
        assert_nil asked.call(reply("hello"), reply("hello", status: 401))
        assert_nil asked.call(reply("hello"), reply("hello"), "post")
        assert_said(asked.call(reply(""), reply("")))
        script = Script.new(reply("hello"))
        assert_nil ResponseLearner.new(script).annotate([learn(script)]).first.note
      end

      test "a server that does not respond without the cookie is not asked again" do
        doorman = Doorman.new(reply("hello"), reply("hello"), nil, reply("hello"))
        notes = cookie_notes(doorman, "/a", "/b", "/c")

        assert_match(/\Ano different .*cookie/, notes[0])
        assert_match(/\Ano response .*cookie .*2 s\z/, notes[1])
        assert_nil notes[2]
        assert_equal [2, 2], doorman.waited_s
      end

      # Answers a path that does not exist with the last of its replies.
      class CatchAll < Script
        def ask(request, timeout_s: nil) = timeout_s ? @replies.last : super(request)
      end

      test "an HTML page has a title" do
        title = "<html><title>My articles</title>"

        assert_equal "My articles", learn(Script.new(reply(title, content_type: "text/html"))).title
        assert_nil learn(Script.new(reply(title, content_type: "text/plain"))).title
      end

      test "a page that is the same for a path that does not exist says so" do
        noted = lambda do |page, nowhere, **options|
          script = CatchAll.new(*[page] * 3, nowhere)
          learner = ResponseLearner.new(script, pause: ->(_) {})
          request = Request.build(path: "/", **options)
          learner.annotate(learner.learn([request])).first.note
        end
        html = { content_type: "text/html" }
        page, missing = reply("<p>Not here", **html), reply("<p>Not here", status: 404, **html)

        assert_said(noted.call(page, page))
        assert_nil noted.call(page, missing)
        assert_nil noted.call(page, reply("<p>Not hers", **html))
        assert_nil noted.call(page, page, method: "post")
        assert_nil noted.call(reply("{}"), reply("{}")), "no page"
      end

      test "without the cookie it has a few times as long as it took with it" do
        doorman = Doorman.new(reply("hello"), reply("please log in"))
        times = [0, 0.2, 1, 1.8, 2, 2.1]
        clock = Module.new
        clock.define_singleton_method(:mono_ns) { (times.shift * 1e9).round }
        learner = ResponseLearner.new(doorman, clock:)
        answers = learner.learn([Request.build(path: "/", headers: { "cookie" => "a=b" })])
        learner.annotate(answers)

        assert_in_delta 5 * 0.8, doorman.waited_s.first
      end

      test "where only tokens change, the length is" do
        answer = learn(Script.new(reply("csrf=abc"), reply("csrf=xyz"), reply("csrf=123")))

        assert_equal [:length, 8], [answer.kind, answer.length]
      end

      test "where the length changes too, the status is all there is" do
        answer = learn(Script.new(reply("1"), reply("22")))

        assert_equal :status, answer.kind
      end

      test "the length of a body that varies is the shortest learned" do
        lengths = [%w[22 1 333], ["22", "", "333"]].map do |bodies|
          learn(Script.new(*bodies.map { |body| reply(body) })).length
        end

        assert_equal [1, 0], lengths
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

      test "a request is sent three times" do
        script = Script.new(reply)
        learn(script)

        assert_equal 3, script.asked.size
      end

      LOGIN = ["--get /login", "--login USER:PASSWORD",
               "--get /path --header \"Cookie: _shop=...\""].freeze

      test "a redirect is refused with where it leads and what to try" do
        refused = refusal(Script.new(
          reply("", status: 302, location: "http://127.0.0.1:80/login?back=/",
                    set_cookie: "_shop=1; path=/"),
        ))

        assert_equal ["redirected", { request: "GET /", status: 302, to: "/login?back=/",
                                      tries: LOGIN }], refused
        script = Script.new(reply("", status: 302, location: "/login", set_cookie: "_shop=1"))
        assert_equal LOGIN.reject { |try| try.start_with?("--login") },
                     refusal(script, sign_in: false).last.fetch(:tries), "mohs load can't sign in"
      end

      test "a redirect in spite of a cookie is refused with the cookie, wherever it leads" do
        elsewhere = -> { Script.new(reply("", status: 302, location: "/welcome")) }
        cookie = Request.build(path: "/", headers: { "Cookie" => "_shop=1" })
        _, values = refusal(elsewhere.call, cookie)

        assert_equal ["/welcome", true], values.values_at(:to, :with_cookie)
        refute_includes refusal(elsewhere.call).last, :with_cookie
        login = refusal(Script.new(reply("", status: 302, location: "/login")), cookie).last
        assert_equal [false, true], [login.key?(:with_cookie), login.key?(:cookie)]
        tls = refusal(Script.new(reply("", status: 301, location: "https://127.0.0.1/")), cookie)
        refute_includes tls.last, :with_cookie
        slash = Request.build(path: "/welcome/", headers: { "Cookie" => "_shop=1" })
        refute_includes refusal(elsewhere.call, slash).last, :with_cookie
      end

      test "the cookie of a user who has signed in is not said to be the cause" do
        cookie = Request.build(path: "/", headers: { "Cookie" => "_shop=1" })

        [[302, "/welcome"], [302, "/login"], [403, nil]].each do |status, location|
          script = Script.new(reply("", **{ status:, location: }.compact))
          values = refusal(script, cookie, signed_in: true).last
          assert_equal [false, false], [values.key?(:with_cookie), values.key?(:cookie)]
        end
        assert_equal ["--get /welcome"], refusal(
          Script.new(reply("", status: 302, location: "/welcome")), cookie, signed_in: true
        ).last[:tries]
      end

      test "a redirect within the application is followed by nobody, but named" do
        _, values = refusal(Script.new(reply("", status: 301, location: "/en/products")))

        assert_equal [301, "/en/products", ["--get /en/products"]],
                     values.values_at(:status, :to, :tries)
      end

      # Answers by path: text for a page, an array for a redirect there, a number for a failure.
      def site(**pages)
        replies = pages.to_h do |path, found|
          options = { status: 302, location: found.first } if found.is_a?(Array)
          options = { status: found } if found.is_a?(Integer)
          ["/#{path}", reply(found.is_a?(String) ? found : "", **options.to_h)]
        end
        Object.new.tap do |one|
          one.define_singleton_method(:ask) { |request| replies.fetch(request.path) }
        end
      end

      def foreseen(**pages) = refusal(site(**pages)).last.values_at(:to, :finally, :tries)

      test "a redirect to another redirect suggests the page at their end" do
        assert_equal ["/a", "/c", ["--get /c"]],
                     foreseen("": ["/a"], a: ["/b"], b: ["/c"], c: "hello")
        assert_equal ["/a", "/login", LOGIN.first(2)],
                     foreseen("": ["/a"], a: ["/login"]).then { |to, last, tries|
                       [to, last, tries.first(2)]
                     }
      end

      # Password Pusher sends everybody to /first_run until it has a user.
      test "a page that sets the application up is not one to measure" do
        ["/first_run", "/setup/database", "/a"].each do |to|
          values = refusal(site("": [to], a: ["/onboarding?x=1"])).last
          assert_equal [true, []], values.values_at(:set_up, :tries), to
        end
        %w[/installments /docs/install].each do |to|
          assert_equal ["--get #{to}"],
                       refusal(Script.new(reply("", status: 302, location: to))).last[:tries]
        end
        asked = Script.new(reply("", status: 302, location: "/setup/1"))
        refute_includes refusal(asked, Request.build(path: "/setup")).last, :set_up
      end

      test "what to try can be typed, whatever is in it" do
        script = Script.new(reply("", status: 302, location: "/repos/new?name=a&user=b"))

        assert_equal ["--get \"/repos/new?name=a&user=b\""], refusal(script).last[:tries]
        login = Script.new(reply("", status: 302, location: "/login"))
        assert_includes refusal(login, Request.build(path: "/a?b=1&c=$d")).last[:tries],
                        "--get '/a?b=1&c=$d' --header \"Cookie: name=...\""
      end

      test "where redirects lead nowhere, the first one is what is known" do
        alone = ["/a", nil, ["--get /a"]]
        [{ a: "hello" }, { a: ["/"] }, { a: ["/a"] }, { a: ["http://example.com/"] },
         { a: ["/b"], b: 404 }, { a: ["/b"], b: ["/c"], c: ["/b"] }].each do |pages|
          assert_equal alone, foreseen("": ["/a"], **pages)
        end
      end

      test "so is one to another path under https, which an application behind TLS sends" do
        script = Script.new(reply("", status: 302, location: "https://127.0.0.1:81/s/1/title"))

        assert_equal ["/s/1/title", ["--get /s/1/title"]],
                     refusal(script).last.values_at(:to, :tries)
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

        assert_equal ["/login", LOGIN], refusal(script).last.values_at(:to, :tries)
      end

      test "one that does not believe it is refused" do
        _, values = refusal(Script.new(reply("", status: 301, location: "https://127.0.0.1:81/")))

        assert_equal ["https://127.0.0.1/", ["--get /path --header \"X-Forwarded-Proto: https\""]],
                     values.values_at(:to, :tries)
      end

      COOKIE = Request.build(path: "/", headers: { "cookie" => "_shop=abc" })

      def as_without_cookie
        [reply("", status: 302, location: "http://127.0.0.1/login"),
         reply("", status: 303, location: "http://sso.example.com/auth/new"),
         reply("", status: 401)]
      end

      test "a cookie is doubted if it is answered like none" do
        doubts = as_without_cookie.map { |one| refusal(Script.new(one), COOKIE).last[:cookie] }

        assert_equal [{ temporary: false, files: [] }] * 3, doubts
        [403, 422].each do |status|
          refute_includes refusal(Script.new(reply("", status:)), COOKIE).last, :cookie
        end
      end

      test "with a temporary secret it is, where another user or a form could be the cause too" do
        files = ["tmp/local_secret.txt"]
        answers = as_without_cookie + [403, 422].map { |status| reply("", status:) }
        doubts = answers.map do |one|
          refusal(Script.new(one), COOKIE, secret_files: files).last[:cookie]
        end

        assert_equal [{ temporary: true, files: }] * 5, doubts
      end

      test "what to try for a cookie that was refused is not to send one" do
        tries = as_without_cookie.first(2).map do |one|
          refusal(Script.new(one), COOKIE).last[:tries]
        end

        assert_equal [["--get /login"], []], tries
      end

      test "a cookie is not doubted if none was sent, or if the cause is another one" do
        moved = reply("", status: 302, location: "/home?back=/login")
        [[as_without_cookie.first, Request.build(path: "/")], [moved, COOKIE],
         [reply("", status: 404), COOKIE],
         [reply("Blocked hosts: a.example", status: 403), COOKIE],
         [reply("", status: 302, location: "/login"),
          Request.build(path: "/login", headers: COOKIE.headers)]].each do |one, request|
          refute_includes refusal(Script.new(one), request, secret_files: []).last, :cookie
        end
      end

      test "a missing page is refused with its title" do
        refused = refusal(Script.new(reply("<title>Not here</title>", status: 404,
                                                                      reason: "Not Found")))

        assert_equal ["error_status", { request: "GET /", status: 404, phrase: "Not Found",
                                        seen: { title: "Not here" } }], refused
      end

      test "of an untitled page its first line is kept, of an empty one nothing" do
        seen = ["\n  Oh, no  \nmore", "x" * 200, ""].map do |body|
          refusal(Script.new(reply(body, status: 500))).last[:seen]
        end

        assert_equal [{ text: "Oh, no  " }, { text: "x" * 80 }, {}], seen
      end

      SECRET = Secrets::Redaction.new(["s3cr3t-t0ken"])

      def quoting(body = "", **options)
        Script.new(reply(body, **options).tap { |made| made.redact = SECRET })
      end

      test "what a refused response quotes of the request's secrets is masked" do
        long = "x" * 70
        [quoting("#{long} s3cr3t-t0ken is wrong", status: 401),
         quoting("<title>No s3cr3t-t0ken</title>", status: 401),
         quoting(status: 401, reason: "No s3cr3t-t0ken"),
         quoting(status: 302, location: "/sign_in?back=s3cr3t-t0ken"),
         quoting(status: 302, location: "/s3cr3t-t0ken"),
         quoting(status: 302, set_cookie: "s3cr3t-t0ken=1", location: "/login")].each do |script|
          shown = refusal(script).inspect

          assert_match(/\[secret\]|x \[sec/, shown)
          refute_match(/s3cr/, shown)
        end
        elsewhere = Script.new(reply("", status: 302, location: "https://example.com/"))
        _, values = refusal(elsewhere, Request.build(path: "/x?token=s3cr3t-t0ken"))
        assert_match(%r{\A--get "/x\?token=\[secret\]" --header }, values[:tries].first)
      end

      test "however much a server says, a sentence has room for it" do
        much = "x" * 900_000
        [reply(much, status: 500), reply("<title>#{'x' * 900}</title>", status: 500),
         reply("", status: 500, reason: much), reply("", status: 302, location: "/#{much}"),
         reply("", status: 302, location: "/#{'x' * 1000}"),
         reply("", status: 302, location: "/login", set_cookie: "#{much}=1"),
         reply("Blocked hosts: #{much}", status: 403)].each do |long|
          assert_operator refusal(Script.new(long)).inspect.size, :<, 900
        end
        assert_nil learn(Script.new(reply("x", content_type: much))).type
        note = learn(Script.new(reply("<title>error #{'x' * 900}</title>"))).note
        assert_match(/error page \("error x{193}…"\)\z/, note)
      end

      test "an error is explained from the log where that is possible" do
        log = "ActiveRecord::StatementInvalid (Could not find table 'posts')"
        _, values = refusal(Script.new(reply("", status: 500)), log: -> { log })

        assert_equal KnownErrors.explain(log:).to_h.slice(:summary, :remedy), values[:trouble]
      end

      test "the explanation of an error is completed with what is known of the application" do
        complete = ->(known) { Mohs::Reason.new(**known.to_h, remedy: "bin/fill") }
        values = refusal(Script.new(reply("", status: 500)), complete:,
                         log: -> { "asset 'a.css' was not found" }).last

        assert_equal "bin/fill", values[:trouble][:remedy]
      end

      test "text that is expected has to be there" do
        refused = refusal(Script.new(reply("<h1>Welcome</h1>")),
                          Request.build(path: "/", expect: "Products"))

        assert_equal ["text_missing", { request: "GET /", status: 200, expect: "Products",
                                        seen: { title: "Welcome" } }], refused
      end

      test "an error among good answers is refused" do
        assert_equal "error_status", refusal(Script.new(reply, reply, reply("", status: 500))).first
      end

      test "what looks wrong with status 200 is noted" do
        login = "<form><input name='a'><input class='x' type=\"password\"></form>"
        search = "<form><input name='a' data-type=\"password\" type='text'></form>"

        assert_nil learn(Script.new(reply(search)), Request.build(path: "/products")).note
        assert_match(%r{login page .*/products\z},
                     learn(Script.new(reply(login)), Request.build(path: "/products")).note)
        %w[/users/sign_in /setup/password /passwords/new?a=1 /signup /register /users/new
           /registrations/new /first_run].each do |path|
          assert_nil learn(Script.new(reply(login)), Request.build(path:)).note, path
        end
        assert learn(Script.new(reply(login)), Request.build(path: "/users/newest")).note
        assert_match(/error page/,
                     learn(Script.new(reply("<title>Something went wrong</title>"))).note)
        assert_said(learn(Script.new(reply(""))).note)
        renewed = Script.new(reply("x", set_cookie: "a=1"))
        assert_said(learn(renewed).note)
        assert_nil learn(renewed, COOKIE).note, "who has a session may get it anew"
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

        complaint = '"hello" instead of "bye"'
        assert_equal ["check_failed", { request: "GET /a", complaint: }],
                     [error.reason.code, error.reason.values]
        assert_equal :refused, error.state
      end

      test "a check that sends a cookie and is answered like without says so" do
        check = Check.new(request: COOKIE, status: 200)
        error = assert_raises(TrialError) do
          ResponseLearner.new(Script.new(as_without_cookie.first), secret_files: []).verify([check])
        end

        assert_equal({ temporary: true, files: [] }, error.reason.values[:cookie])
      end
    end
  end
end
