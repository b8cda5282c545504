# frozen_string_literal: true

module Mohs
  class App
    # Why a response can't be measured: `code`, and the `values` worth showing. Codes that concern a
    # body include `seen`: its { title: } or the beginning of its { text: }, or {} if the body is
    # empty.
    #
    #   redirected    status, `to` (nil: nowhere), `tries`: options that may lead to a page; if
    #                 `to` redirects, too, `finally`: where this ends;
    #                 `set_up`: true if that is where the application is set up first;
    #                 `with_cookie`: true if the request had a cookie, and it is not known whether
    #                 that is the cause
    #   error_status  status, its `phrase`, and the known `trouble` { summary:, remedy: } behind it
    #                 (nil: not known); for a limit on the rate, where that is set, `limit`
    #                 (RateLimit)
    #                 (both: `cookie` { temporary:, files: } if the request's cookie may be the
    #                 cause: whether mohs gave the application a temporary secret, and the files
    #                 that may have its own)
    #   text_missing  status, and the text that the user expects
    #   unreadable    `fact`: how the server responded
    class Refusal < Struct.new(:code, :values, keyword_init: true)
      include Value

      # Characters shown of a body without a title.
      SHOWN = 80

      # Responses to a cookie that the application can't read, besides redirects to its login page.
      # If it has the secret of the cookie, the last two mean a user without permission and a form
      # without its token.
      UNKNOWN_USER = [401, 403, 422].freeze

      OWN_PORT = %r{(?<=\Ahttps://127\.0\.0\.1):\d+}
      private_constant :OWN_PORT

      # The refusal of a reply to the request; nil if it can be measured. `log` returns the server's
      # log so far; `complete`: as Trial::Setup#complete; `secret_files`: as
      # Environment.secret_files; `signed_in`: whether the request's cookie is known to be that of a
      # user (SignIn), and so not the cause; `sign_in`: whether the command can sign in.
      #: (App::Request, Http::Reply, ?log: Proc, ?complete: _Call, ?secret_files: Array[String]?, ?signed_in: bool, ?sign_in: bool) -> App::Refusal?
      def self.of(request, reply, log: -> { "" }, complete: :itself.to_proc, secret_files: nil,
                  signed_in: false, sign_in: true)
        cookie = cookie(request, reply, secret_files) unless signed_in
        return redirected(request, reply, cookie, signed_in, sign_in) if
          (300..399).cover?(reply.status)

        if reply.status >= 400
          return failed(reply, complete.call(KnownErrors.explain(log: log.call, answer: reply)),
                        cookie)
        end
        return if reply.contains?(request.expect)

        new(code: "text_missing",
            values: { status: reply.status, expect: request.expect, seen: seen(reply) })
      end

      # The refusal of a response that the client could not read to its end.
      #: (Http::Client::Refused) -> App::Refusal
      def self.unreadable(error) = new(code: "unreadable", values: { fact: error.fact })

      # What is known of the request's cookie, if the response is one to an unknown user; else nil.
      #: (App::Request, Http::Reply, Array[String]?) -> { temporary: bool, files: Array[String] }?
      def self.cookie(request, reply, secret_files)
        return unless request.header("Cookie")

        statuses = secret_files ? UNKNOWN_USER : UNKNOWN_USER.first(1)
        return unless statuses.include?(reply.status) || Redirect.to_login?(request, reply)

        { temporary: !secret_files.nil?, files: secret_files.to_a }
      end

      def self.redirected(request, reply, cookie, signed_in, sign_in)
        target = Redirect.path(request, reply)
        # Each server of a run has another port: the same reason is given once.
        to = target || reply.location&.sub(OWN_PORT, "")
        with_cookie = with_cookie(request, reply, cookie, target) unless signed_in
        new(code: "redirected",
            values: { status: reply.status, to: to && reply.quote(to),
                      **tried(request, reply, target, sign_in),
                      **{ cookie:, with_cookie: }.compact })
      end

      # A redirect to the same path with another end, or over TLS, is everybody's.
      def self.with_cookie(request, reply, cookie, target)
        return if Redirect.to_tls?(request, reply) || target&.chomp("/") == request.path.chomp("/")

        true if request.header("Cookie") && cookie.nil?
      end

      # A page that sets the application up says nothing about the others.
      def self.tried(request, reply, target, sign_in)
        set_up = target && Redirect.set_up?(target) && !Redirect.set_up?(request.path)
        return { tries: [], set_up: } if set_up

        { tries: tries(request, reply, target, sign_in) }
      end

      def self.tries(request, reply, target, sign_in)
        tries = []
        # A login path's query leads back to this page.
        target = target.split("?").first if target && Redirect.login?(target)
        tries << "--get #{Shell.quoted(reply.quote(target))}" if target && target != request.path
        path = request.path == "/" ? "/path" : Secrets.mask_path(request.path)
        cookie = reply.quote(reply.header("set-cookie").to_s[/\A[^=;]+/] || "name")
        tries << "--login USER:PASSWORD" if sign_in && target && wants_cookie?(request, target)
        header = "Cookie: #{cookie}=..." if wants_cookie?(request, target)
        forces_tls = target.nil? && reply.location.to_s.start_with?("https:")
        header = "X-Forwarded-Proto: https" if forces_tls && !Redirect.behind_tls?(request)
        tries << "--get #{Shell.quoted(path)} --header #{Shell.quoted(header)}" if header
        tries
      end

      def self.wants_cookie?(request, target)
        !request.header("Cookie") && (target.nil? || Redirect.login?(target))
      end

      # A known trouble is the cause, whatever the cookie.
      def self.failed(reply, known, cookie)
        trouble = known&.to_h&.slice(:summary, :remedy)
        new(code: "error_status",
            values: { status: reply.status, phrase: reply.quote(reply.reason), seen: seen(reply),
                      **{ trouble:, cookie: (cookie unless trouble) }.compact })
      end

      def self.seen(reply)
        return {} if reply.body.empty?
        return { title: reply.title } if reply.title

        { text: reply.text.strip.split("\n").first.to_s[0, SHOWN] }
      end

      private_class_method :redirected, :with_cookie, :tried, :tries, :wants_cookie?, :failed, :seen

      # The reason, with the request that was refused if it is given.
      #: (?App::Request?) -> Reason
      def reason(request = nil)
        Reason.new(code:, values: { **({ request: request.to_s } if request).to_h, **values })
      end
    end
  end
end
