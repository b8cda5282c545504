# frozen_string_literal: true

module Mohs
  class App
    # What looks suspicious about a response that would pass: a page other than the requested one
    # may also have status 200.
    module LoginPageCheck
      NEGOTIATED = "depends on the header Accept: a browser may get a page " \
                   "(--header \"Accept: text/html\")"
      FORWARDED = "sent with X-Forwarded-Proto: https, as the app forces TLS"
      ERROR_TITLE = /\b(?:error|not found|wrong|exception|unavailable|denied|[45]0\d)\b/i

      module_function

      # A sentence, or nil if nothing looks wrong.
      #: (App::Request, Http::Reply) -> String?
      def of(request, reply)
        notes = [
          ("looks like a login page instead of #{request.path}" if login?(request, reply)),
          ("looks like an error page (#{reply.title.inspect})" if error?(reply)),
          ("the body is empty" if empty?(request, reply)),
          (NEGOTIATED if negotiated?(request, reply)),
          ("sets a cookie each time: every request starts a session" if stranger?(request, reply)),
          (FORWARDED if Redirect.behind_tls?(request)),
        ].compact
        notes.join("; ") unless notes.empty?
      end

      def error?(reply) = reply.title.to_s.match?(ERROR_TITLE)

      def login?(request, reply)
        own = Redirect.login?(request.path) || request.path.match?(SignIn::Form::CHOOSES)
        !own && SignIn::Form.login?(reply.text, request.path)
      end

      def empty?(request, reply)
        reply.body.empty? && request.method != "HEAD" && ![204, 205].include?(reply.status)
      end

      # Who has sent a cookie has a session, which many applications renew each time.
      def stranger?(request, reply) = reply.header("set-cookie") && !request.header("Cookie")

      # mohs sends no Accept of its own, so an application may serve what it has for programs.
      def negotiated?(request, reply)
        return false if request.method != "GET" || request.header("Accept")

        reply.header("vary").to_s.match?(/(?<![\w-])accept(?![\w-])/i) && reply.type != "text/html"
      end

      private_class_method :login?, :error?, :empty?, :negotiated?, :stranger?
    end
  end
end
