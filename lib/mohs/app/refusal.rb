# frozen_string_literal: true

module Mohs
  class App
    # Why a response can't be measured: `fact` how the server answered ("returned 302 to /login"),
    # `hint` what that means, in a sentence of its own, and `remedy` what to type; each of the two
    # nil if nothing is known.
    class Refusal < Struct.new(:fact, :hint, :remedy, keyword_init: true)
      include Value

      # What a status most often means if someone measures an application for the first time.
      HINTS = {
        400 => "The application does not accept the request: --header, --post and --body change it",
        401 => "It asks for credentials: --header \"Authorization: Bearer ...\" or " \
               "--header \"Cookie: ...\"",
        403 => "It refuses this client: --header \"Cookie: ...\", or --header \"Host: ...\" " \
               "if it checks the host",
        404 => "Name an existing page: --get /path",
        405 => "The path needs another method: --get or --post",
        406 => "It has the page in another format: --header \"Accept: text/html\", " \
               "or a path that ends in .json",
        422 => "A form needs its CSRF token, which a repeated request can't have: measure a GET, " \
               "or an API's path",
        429 => "It limits the request rate (rack-attack?): switch that off with --env",
      }.freeze

      # Of a reply to the request; nil if it can be measured. `log` returns the server's log so far.
      #: (App::Request, Http::Reply, ?log: Proc) -> App::Refusal?
      def self.of(request, reply, log: -> { "" })
        return redirected(request, reply) if (300..399).cover?(reply.status)
        return failed(reply, log.call) if reply.status >= 400
        return if reply.contains?(request.expect)

        new(fact: "returned #{reply.status}, without the text #{request.expect.inspect} " \
                  "(--expect), but with #{described(reply)}")
      end

      def self.redirected(request, reply)
        target = Redirect.path(request, reply)
        new(fact: "returned #{reply.status} to #{target || reply.location || 'nowhere'}",
            hint: "A redirect says nothing about the app's speed",
            remedy: suggestions(request, reply, target))
      end

      def self.suggestions(request, reply, target)
        tries = []
        # The query of a login's path leads back here.
        target = target.split("?").first if target && Redirect.login?(target)
        tries << "--get #{target}" if target && target != request.path
        path = request.path == "/" ? "/path" : request.path
        cookie = reply.header("set-cookie").to_s[/\A[^=;]+/] || "name"
        header = "Cookie: #{cookie}=..." if target.nil? || Redirect.login?(target)
        if reply.location.to_s.start_with?("https:") && !Redirect.behind_tls?(request)
          header = "X-Forwarded-Proto: https"
        end
        tries << "--get #{path} --header \"#{header}\"" if header
        "try   #{tries.join('   or   ')}"
      end

      def self.failed(reply, log)
        known = Troubles.explain(log:, answer: reply)
        hint = known&.summary&.sub(/\A./, &:upcase) || HINTS[reply.status] ||
               "The server's log says more"
        new(fact: "returned #{"#{reply.status} #{reply.reason}".rstrip}, #{described(reply)}",
            hint:, remedy: known&.remedy)
      end

      def self.described(reply)
        return "an empty body" if reply.body.empty?
        return "a page called #{reply.title.inspect}" if reply.title

        reply.text.strip.split("\n").first.to_s[0, 80].inspect
      end

      private_class_method :redirected, :suggestions, :failed, :described

      # With the words before it: "GET / returned 302 to /login. A redirect says nothing ...".
      #: (?(App::Request | String)?) -> Reason
      def reason(subject = nil)
        sentences = [[subject, fact].compact.join(" "), *hint].map { |text| "#{text}." }
        Reason.new(summary: sentences.join(" "), remedy:)
      end
    end
  end
end
