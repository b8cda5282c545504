# frozen_string_literal: true

module Mohs
  class App
    # What looks wrong about a response that would pass: a page other than the one requested may
    # also have status 200.
    module Suspicion
      PASSWORD_FIELD = /<input[^>]+type\s*=\s*["']?password/i
      ERROR_TITLE = /\b(?:error|not found|wrong|exception|unavailable|denied|[45]0\d)\b/i

      module_function

      # A sentence, or nil if nothing looks wrong.
      #: (App::Request, Http::Reply) -> String?
      def of(request, reply)
        notes = [
          ("looks like a login page instead of #{request.path}" if login?(request, reply)),
          ("looks like an error page (#{reply.title.inspect})" if error?(reply)),
          ("the body is empty" if empty?(request, reply)),
          ("sets a cookie each time: every request starts a session" if reply.header("set-cookie")),
          ("sent with X-Forwarded-Proto: https, as the app forces TLS" if forwarded?(request)),
        ].compact
        notes.join("; ") unless notes.empty?
      end

      def error?(reply) = reply.title.to_s.match?(ERROR_TITLE)

      def login?(request, reply)
        reply.text.match?(PASSWORD_FIELD) && !Redirect.login?(request.path)
      end

      def empty?(request, reply)
        reply.body.empty? && request.method != "HEAD" && ![204, 205].include?(reply.status)
      end

      def forwarded?(request) = request.header("X-Forwarded-Proto") == "https"

      private_class_method :login?, :error?, :empty?, :forwarded?
    end
  end
end
