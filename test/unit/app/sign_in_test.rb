# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class SignInTest < TestCase
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

          request.path == "/me" ? redirect(@form || "/elsewhere") : page("hello")
        end

        private

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
        @sign_in = SignIn.new(site, user: "ann", password:)
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
        assert_equal ["GET /me", "GET /login", "POST /in"], site.asked.map(&:to_s)
      end

      test "where the page says nothing of it, the usual paths are tried" do
        site = Site.new(form: "/users/sign_in")

        assert_equal({ "Cookie" => "a=2" }, sign_in(site, "/"))
        assert_equal ["GET /", "GET /login", "GET /users/sign_in", "POST /in"],
                     site.asked.map(&:to_s)
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
    end
  end
end
