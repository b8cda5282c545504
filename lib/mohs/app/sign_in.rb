# frozen_string_literal: true

require "uri"

module Mohs
  class App
    # Signs in as a person does: asks for a page, follows the application to its form, fills it in,
    # and keeps the cookies. Each server of a run has its own session.
    class SignIn
      # Where forms usually are, for pages that say nothing about it.
      USUAL = %w[/login /users/sign_in /session/new /sessions/new /sign_in /signin
                 /admin/login].freeze

      BY_HAND = "Sign in by hand, and give its cookie: --header \"Cookie: ...\""
      private_constant :BY_HAND

      # Redirects that are followed in a row.
      MOST = 5

      # user, password: as typed into the form. redaction: masks the cookies, too, once it is done.
      #: (Http::Client, user: String, password: String, ?redaction: Secrets::Redaction) -> void
      def initialize(http, user:, password:, redaction: Secrets::Redaction.new([]))
        @http = http
        @user = user
        @password = password
        @redaction = redaction
        @cookies = {}
        @headers = {}
        @received = []
      end

      # The headers of a request by this user: a Cookie, and that of a proxy if the application
      # needs one. Raises TrialError (refused) if no form is found, or if it does not take the user.
      #: (String) -> Hash[String, String]
      def call(path)
        form = [path, *USUAL].lazy.filter_map { |one| form(one) }.first or no_form(path)
        reply, request = send_form(form)
        refuse_user(reply) if reply.status >= 400
        landing, last = follow(reply, request)
        return headers if accepted?([path, landing, @page].compact.uniq)

        refuse_user(reply) if Form.find(last.text, @page)
        refuse("login_without_cookie", "the login form at #{place} sets no cookie", BY_HAND) if
          @cookies.empty?

        unknown(path)
      ensure
        # Not earlier: a form may have to contain the value of a cookie.
        @redaction.add(@received)
      end

      # "signed in as ann at /login (authenticity_token, login, password)"
      #: () -> String
      def to_s = "signed in as #{@user} at #{place} (#{@fields.join(', ')})"

      private

      # A form's address often has the page that leads to it in its query.
      def place = @page.split("?").first

      def headers = @cookies.empty? ? @headers : { **@headers, "Cookie" => cookie }

      def cookie = @cookies.map { |name, value| "#{name}=#{value}" }.join("; ")

      # The form of this path, or of where it leads to; nil if there is none.
      def form(path)
        MOST.times do
          reply, request = get(path)
          form = Form.find(reply.text, path)
          return (@sign_up ||= path) && nil if form&.creates_user?

          @page = path if form
          return form unless Redirect.redirect?(reply)

          path = Redirect.path(request, reply) or return
        end
        nil
      end

      def get(path)
        reply, request = ask(Request.build(path:, headers:))
        return [reply, request] unless Redirect.to_tls?(request, reply) && @headers.empty?

        # As a production proxy, which terminates TLS (ResponseLearner).
        @headers = { "X-Forwarded-Proto" => "https" }
        get(path)
      end

      def send_form(form)
        values = form.filled(@user, @password)
        @fields = values.map(&:first)
        ask(Request.build(path: form.action, method: "POST", headers:,
                          body: URI.encode_www_form(values)))
      end

      def ask(request)
        reply = @http.ask(request)
        reply.headers["set-cookie"].to_a.each { |text| keep(text) }
        [reply, request]
      end

      # Where the form leads to, as each response on the way may set a cookie: the last path, nil if
      # it is on another host; and the last response.
      def follow(reply, request)
        path = nil
        MOST.times do
          break unless Redirect.redirect?(reply)

          path = Redirect.path(request, reply) or break
          reply, request = get(path)
        end
        [path, reply]
      end

      # Is there a page that a guest does not get? Neither a cookie nor another page shows it: a
      # wrong password may lead to both. A form may be on each page, whoever has signed in.
      def accepted?(paths) = @cookies.any? && paths.any? { |path| own?(path) }

      # A page that differs from request to request, in more than what View leaves out, shows
      # nothing.
      def own?(path)
        guest = guest_view(path)
        View.of(get(path).first) != guest && guest_view(path) == guest
      end

      def guest_view(path) = View.of(@http.ask(Request.build(path:, headers: @headers)))

      def keep(text)
        name, value = text[/\A[^;]+/].to_s.split("=", 2).map(&:strip)
        return unless value

        @received << "#{name}=#{value}"
        gone = value.empty? || text.match?(/;\s*max-age\s*=\s*(?:0|-\d+)\s*(?:;|\z)/i)
        gone ? @cookies.delete(name) : @cookies[name] = value
      end

      # A form that creates a user is left to people: a database of theirs would get one.
      def no_form(path)
        refuse("login_user_missing", "no login form, but one at #{@sign_up} that creates a user",
               "Create #{@user} in that form or in the Rails console first. mohs only signs in.") if
          @sign_up
        refuse("login_form_missing", "no login form at #{path} or at one of the usual paths",
               "A form that JavaScript builds can't be read. #{BY_HAND}")
      end

      def refuse_user(reply)
        refuse("login_refused", "signing in as #{@user} at #{place} failed: the form returned " \
                                "#{reply.status}#{" (#{reply.title})" if reply.title}",
               "Check the password, and that this database has the user (--prepare).")
      end

      def unknown(path)
        refuse("login_unknown", "the login form at #{place} sets a cookie, but #{path} and where " \
                                "the form leads to are the same without it: whether #{@user} is " \
                                "signed in is not known",
               "Check the password, and that this database has the user (--prepare); or name a " \
               "page that only its users get: --get /account.")
      end

      def refuse(code, summary, remedy)
        raise TrialError.new(Reason.new(code:, summary:, remedy:, values: { page: @page }),
                             state: :refused)
      end
    end
  end
end
