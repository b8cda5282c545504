# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class SignInTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-app"

      FORM = "<form action='/in' method=post><input type=hidden name=csrf value=%<csrf>s>" \
             "<input name=login><input type=password name=pw></form>"

      # An application of one user, ann, whose password is s3cret. form: where its form is. tls:
      # whether it asks for TLS. after: what its form is answered with; nil: as applications do.
      class Site
        attr_reader :asked

        def initialize(form: "/login", tls: false, after: nil)
          @form = form
          @tls = tls
          @after = after
          @asked = []
        end

        def ask(request)
          @asked << request
          return redirect("https://127.0.0.1#{request.path}") if @tls && !forwarded?(request)
          return posted(request) if request.method == "POST"
          return page(format(FORM, csrf: "t#{@asked.size}"), "a=1; path=/", "b=x") if
            request.path == @form

          return page("Hello, Ann") if signed?(request)

          request.path == "/me" ? redirect(@form || "/elsewhere") : page("hello")
        end

        private

        def signed?(request) = request.header("Cookie").to_s.include?("a=2")

        def forwarded?(request) = request.header("X-Forwarded-Proto") == "https"

        def posted(request)
          return @after if @after

          right = URI.decode_www_form(request.body).to_h
          return redirect(@form) unless right.values_at("login", "pw") == %w[ann s3cret]
          return page("no token") unless right["csrf"] && request.header("Cookie") == "a=1; b=x"

          redirect("/home", "a=2; HttpOnly", "b=; max-age=0")
        end

        def page(body, *cookies) = reply(200, body, cookies)

        def redirect(to, *cookies) = reply(302, "", cookies, "location" => [to])

        def reply(status, body, cookies, headers = {})
          headers = { **headers, "set-cookie" => cookies } if cookies.any?
          Http::Reply.new(status:, reason: "", headers:, body: body.b)
        end
      end

      def sign_in(site, path = "/me", password: "s3cret")
        @redaction = Secrets::Redaction.new([password])
        @sign_in = SignIn.new(site, user: "ann", password:, redaction: @redaction)
        @sign_in.call(path)
      end

      def refusal(...)
        error = assert_raises(TrialError) { sign_in(...) }
        assert_equal :refused, error.state
        error.reason
      end

      test "the cookies of the session after the form, where a page leads to it" do
        site = Site.new

        assert_equal({ "Cookie" => "a=2" }, sign_in(site))
        assert_equal "signed in as ann at /login (csrf, login, pw)", @sign_in.to_s
        assert_equal ["GET /me", "GET /login", "POST /in", "GET /home"],
                     site.asked.first(4).map(&:to_s)
      end

      test "where the page says nothing of it, the usual paths are tried" do
        site = Site.new(form: "/users/sign_in")

        assert_equal({ "Cookie" => "a=2" }, sign_in(site, "/"))
        assert_equal ["GET /", "GET /login", "GET /users/sign_in", "POST /in"],
                     site.asked.first(4).map(&:to_s)
      end

      test "what it says of its form is the path, without the page that leads to it" do
        sign_in(Site.new(form: "/login?back=%2Fme"))

        assert_equal "signed in as ann at /login (csrf, login, pw)", @sign_in.to_s
        assert_equal "login_refused",
                     refusal(Site.new(form: "/login?back=%2Fme"), password: "wrong").code
      end

      test "an application that asks for TLS gets what its proxy would send" do
        assert_equal({ "X-Forwarded-Proto" => "https", "Cookie" => "a=2" },
                     sign_in(Site.new(tls: true)))
      end

      test "without a form, with a wrong password, and without a cookie it is told which" do
        none = refusal(Site.new(form: nil))
        assert_equal ["login_form_missing", { page: nil }], [none.code, none.values]
        wrong = refusal(Site.new, password: "wrong")
        assert_equal ["login_refused", { page: "/login" }], [wrong.code, wrong.values]
        refute_includes wrong.to_s, "wrong\""
        again = Http::Reply.new(status: 422, reason: "", headers: {}, body: FORM.b)
        assert_equal "login_refused", refusal(Site.new(after: again)).code
        silent = Http::Reply.new(status: 302, reason: "", body: "".b,
                                 headers: { "location" => ["/home"], "set-cookie" =>
                                            ["a=; max-age=0", "b=; Max-Age=-1"] })
        assert_equal "login_without_cookie", refusal(Site.new(after: silent)).code
      end

      # An application as a hash of "GET /path" => what the block makes of its cookies and whether
      # the password is right: [status, body, { header => values }].
      class Pages < Struct.new(:pages)
        def ask(request)
          cookies = request.header("Cookie").to_s.split("; ")
          right = URI.decode_www_form(request.body.to_s).to_h["pw"] == "s3cret"
          page = pages.fetch(request.to_s) { pages.fetch("GET *") }
          status, body, headers = page.call(cookies, right)
          Http::Reply.new(status:, reason: "", headers: headers.to_h, body: body.b)
        end
      end

      def set(location, *cookies) = [303, "", { "location" => [location], "set-cookie" => cookies }]

      test "a form on the page that a right password leads back to is no refusal" do
        site = Pages.new({
          "GET *" => ->(has, _) { [200, has.include?("s=1") ? "<h1>Ann's desk</h1>" : FORM] },
          "POST /in" => ->(_, right) { set("/", *("s=1" if right)) },
        })

        assert_equal({ "Cookie" => "s=1" }, sign_in(site, "/"))
        assert_equal "login_refused", refusal(site, "/", password: "wrong").code
        site.pages["GET *"] = lambda do |has, _|
          [200, "#{FORM} <script>nonce('#{rand}')</script> #{'Hello, Ann' if has.include?('s=1')}"]
        end
        assert_equal({ "Cookie" => "s=1" }, sign_in(site, "/"))
        assert_equal "login_refused", refusal(site, "/", password: "wrong").code
      end

      test "a form that creates a user is not filled in" do
        new = FORM.sub("name=pw", "name=pw autocomplete=new-password")
        site = Pages.new({
          "GET /first_run" => ->(*) { [200, new.sub("/in", "/first_run")] },
          "GET *" => ->(*) { set("/first_run") },
        })

        none = refusal(site, "/")
        assert_equal "login_user_missing", none.code
        assert_includes none.summary, "/first_run"
        site.pages["GET /login"] = ->(*) { [200, FORM] }
        site.pages["POST /in"] = ->(*) { set("/", "s=1") }
        site.pages["GET *"] = ->(has, _) { [200, has.include?("s=1") ? "Ann" : new] }
        site.pages["GET /"] = ->(has, _) { has.include?("s=1") ? [200, "Ann"] : set("/first_run") }
        assert_equal({ "Cookie" => "s=1" }, sign_in(site, "/"))
      end

      test "the cookies of all responses on the way from the form count" do
        site = Pages.new({
          "GET /login" => ->(*) { [200, FORM] },
          "POST /in" => ->(_, right) { right ? set("/second", "one=1") : set("/login", "flash=x") },
          "GET /second" => ->(*) { set("/", "two=2") },
          "GET *" => ->(has, _) { %w[one=1 two=2] - has == [] ? [200, "Hello"] : set("/login") },
        })

        assert_equal({ "Cookie" => "one=1; two=2" }, sign_in(site, "/"))
        assert_equal "login_refused", refusal(site, "/", password: "wrong").code
      end

      test "the cookies are masked from then on, also if the password is wrong" do
        site = Pages.new({
          "GET /login" => ->(*) { [200, FORM] },
          "POST /in" => ->(_, right) { set(right ? "/" : "/login", "s=#{right}-abcdef01") },
          "GET *" => ->(has, _) { has.include?("s=true-abcdef01") ? [200, "Ann"] : set("/login") },
        })

        sign_in(site, "/")
        assert_equal "BAD [secret]", @redaction.call("BAD s=true-abcdef01")
        refusal(site, "/", password: "wrong")
        assert_equal "BAD [secret]", @redaction.call("BAD s=false-abcdef01")
      end

      test "with cookies only, nobody is said to be signed in" do
        site = Pages.new({
          "GET /login" => ->(*) { [200, FORM, { "set-cookie" => ["csrf=1"] }] },
          "POST /in" => ->(_, right) { right ? set("/", "s=1") : set("/?alert=1", "flash=wrong") },
          "GET *" => ->(has, _) { [200, "Hello, #{has.include?('s=1') ? 'Ann' : 'guest'}, 12:31"] },
        })

        assert_equal({ "Cookie" => "csrf=1; s=1" }, sign_in(site, "/"))
        unknown = refusal(site, "/", password: "wrong")
        assert_equal "login_unknown", unknown.code
        assert_said(unknown.summary)
        site.pages["GET *"] = ->(*) { [200, "Words of #{('a'..'z').to_a.sample(9).join}"] }
        assert_equal "login_unknown", refusal(site, "/").code
      end
    end
  end
end
