# frozen_string_literal: true

require "time"

module Mohs
  class App
    # Learns the expected responses from the first few requests, and refuses to measure responses
    # that say nothing about the application: redirects, errors, and responses without the text that
    # the user expects.
    class ResponseLearner
      # A page that shows the time is the same within one second but differs in the next: it is
      # requested again after this pause.
      NEXT_SECOND_S = 1.1

      # How often a request is sent to learn its response.
      TRIES = 3

      UNREAD = "no different without the cookie: perhaps the app does not accept it"

      SILENT = "no response without the cookie within %.0f s"

      # A path that no application has a route for.
      MISSING_PATH = "/no-such-page-asks-mohs"
      CATCH_ALL = "the same page for a path that does not exist: perhaps it is an error page"

      # How many redirects are followed to find a page to suggest.
      REDIRECTS = 5

      # Codes of the reasons why a response did not come in time.
      TOO_LATE = %w[no_answer no_whole_answer].freeze

      # How many times as long as with its cookie a request may take without it; within these
      # bounds, in seconds.
      PATIENCE = 5
      PATIENCE_S = (2..30)

      # Largest share of the optional requests, by weight, that may be refused: if more are missing,
      # the mix is a different one.
      LEFT_OUT = 0.5

      # { App::Request => App::Refusal }: the requests that #learn left out.
      attr_reader :left_out

      # `log` returns the server's log so far, which is searched for known troubles; `complete`: as
      # Trial::Setup#complete; `secret_files`: as Environment.secret_files; `signed_in`: whether the
      # cookies of the requests are those of a user who has signed in; `sign_in`: whether the
      # command can do that. `pause`, `now` and `clock` replace the clock in tests.
      #: (Http::Client, ?log: Proc, ?complete: _Call, ?secret_files: Array[String]?, ?signed_in: bool, ?sign_in: bool, ?pause: Proc, ?now: Proc, ?clock: Module) -> void
      def initialize(http, log: -> { "" }, complete: :itself.to_proc, secret_files: nil,
                     signed_in: false, sign_in: true, pause: Kernel.method(:sleep),
                     now: Time.method(:now), clock: Clock)
        @http = http
        @log = log
        @complete = complete
        @secret_files = secret_files
        @signed_in = signed_in
        @sign_in = sign_in
        @pause = pause
        @now = now
        @clock = clock
        @left_out = {}
        @took_s = Hash.new { |all, request| all[request] = [] }
      end

      # Returns an Answer for each of `requests`, except optional ones that are refused. Raises
      # TrialError: with the state refused if a response can't be measured (for optional requests:
      # if most of them can't), failed if there is none.
      #: (Array[App::Request]) -> Array[App::Answer]
      def learn(requests)
        learned = requests.filter_map { |request| learn_one(request) }
        @optional = requests.select(&:optional)
        check_left_out
        learned
      end

      # Seconds until the response came that came soonest.
      #: (App::Answer) -> Float
      def fastest_s(answer) = @took_s.fetch(answer.request).min

      # The learned answers, with a note on those that are no different without their request's
      # cookie, or for a path that does not exist. Only for a server on which nothing is
      # measured any more: it may work on such a request for as long as it likes, perhaps with its
      # only thread. So nothing follows one that got no response.
      #: (Array[App::Answer]) -> Array[App::Answer]
      def annotate(answers)
        silent = false
        checked = answers.map do |answer|
          note = unread_cookie(answer) { silent = true } if !silent && cookie_matters?(answer)
          note ? answer.noted(note) : answer
        end
        silent ? checked : note_catch_all(checked)
      end

      # How many `requests` were left out `of` the optional ones, their `share` by weight, the
      # `first` of them, and its `refusal` (code and values); nil if none was left out.
      #: () -> { requests: Integer, of: Integer, share: Float, first: String, refusal: Hash[Symbol, untyped] }?
      def left_out_facts
        return if @left_out.empty?

        request, refusal = @left_out.first
        { requests: @left_out.size, of: @optional.size, share: lacking, first: request.to_s,
          refusal: refusal.to_h }
      end

      # Runs the application's own checks (checks.yml) against the server. Raises TrialError
      # (refused) at the first check that fails.
      #: (Array[App::Check]) -> void
      def verify(checks)
        checks.each do |check|
          reply = @http.ask(check.request)
          complaint = check.complaint(reply) or next
          cookie = Refusal.cookie(check.request, reply, @secret_files) unless @signed_in
          refuse(Reason.new(code: "check_failed", values: { request: check.request.to_s, complaint:,
                                                            **{ cookie: }.compact }))
        end
        nil
      end

      private

      def refusal(request, reply)
        Refusal.of(request, reply, log: @log, complete: @complete, secret_files: @secret_files,
                                   signed_in: @signed_in, sign_in: @sign_in)
      end

      def check_left_out
        return if @left_out.empty? || lacking <= LEFT_OUT

        refuse(Reason.new(code: "mix_refused", values: left_out_facts))
      end

      # The share of optional requests that were left out, by weight.
      def lacking = @left_out.keys.sum(&:weight).fdiv(@optional.sum(&:weight))

      # nil if the request was left out.
      def learn_one(wanted)
        request, first = behind_proxy(wanted, ask(wanted))
        replies = [first] + Array.new(TRIES - 1) { ask(request) }
        replies << ask_in_the_next_second(request) if same_body?(replies) && shows_time?(first)
        refusal = replies.lazy.filter_map { |reply| refusal(request, reply) }.first
        return answer(request, replies) unless refusal

        refuse(foreseen(request, first, refusal).reason(request)) unless wanted.optional
        leave_out(wanted, refusal)
      rescue Http::Client::Refused => error
        raise unless wanted.optional

        leave_out(wanted, Refusal.unreadable(error))
      end

      def ask(request)
        began_ns = @clock.mono_ns
        @http.ask(request).tap { @took_s[request] << ((@clock.mono_ns - began_ns) / 1e9) }
      end

      def leave_out(request, refusal)
        @left_out[request] = refusal
        nil
      end

      # An application that forces TLS redirects plain requests to https://, unless a proxy reports
      # that it has terminated TLS. We stand in for its production proxy, so we send that header
      # too.
      def behind_proxy(request, reply)
        return [request, reply] unless Redirect.to_tls?(request, reply)

        forwarded = request.with_headers("X-Forwarded-Proto" => "https")
        second = ask(forwarded)
        Redirect.to_tls?(request, second) ? [request, reply] : [forwarded, second]
      end

      # The refusal of a redirect, with what to try if its target redirects, too: to type one
      # suggestion only to get the next costs a boot each.
      def foreseen(request, reply, refusal)
        return refusal unless refusal.code == "redirected" && request.method == "GET"

        further, last = last_redirect(request, reply)
        return refusal if further == request

        found = refusal(further, last).values
        Refusal.new(code: refusal.code, values: { **refusal.values, finally: found[:to],
                                                  **found.slice(:tries, :set_up) })
      end

      # The last of the redirects that begin with this one, as [request, reply]; this one if they
      # lead out of the application, in a circle or to a page that fails. A login page is the end,
      # and so is one that sets the application up.
      def last_redirect(request, reply)
        first, seen = [request, reply], [request.path]
        REDIRECTS.times do
          path = Redirect.path(request, reply)
          return first if path.nil? || seen.include?(path)
          return [request, reply] if Redirect.login?(path) || Redirect.set_up?(path)

          seen << path
          following = Request.new(**request.to_h, path:)
          answer = ask(following)
          return answer.status < 300 ? [request, reply] : first unless Redirect.redirect?(answer)

          request, reply = following, answer
        end
        first
      rescue TrialError, Http::Client::Refused
        first
      end

      def ask_in_the_next_second(request)
        @pause.call(NEXT_SECOND_S)
        ask(request)
      end

      def same_body?(replies) = replies.map(&:body).uniq.size == 1

      # Does the body contain the current time to the second, in any time zone?
      def shows_time?(reply)
        (-2..0).map { |offset| @now.call + offset }.any? do |time|
          reply.body.match?(/\b(?:\d\d:#{time.strftime('%M:%S')}|#{time.to_i})\b/n)
        end
      end

      def refuse(reason)
        raise TrialError.new(reason, state: :refused)
      end

      def answer(request, replies)
        first = replies.first
        lengths = replies.map { |reply| reply.body.bytesize }.uniq
        kind = lengths.one? ? :length : :status
        kind = :body if same_body?(replies)
        kind = :status unless replies.map(&:status).uniq.one?
        type = first.type if replies.map(&:type).uniq.one?
        Answer.new(request:, status: first.status, type:, length: lengths.min,
                   body: first.body, kind:, expect: request.expect, title: title(first),
                   note: LoginPageCheck.of(request, first))
      end

      def title(reply) = (reply.title if reply.type == "text/html")

      # A page may say "please log in" with status 200.
      def cookie_matters?(answer) = comparable?(answer) && answer.request.header("Cookie")

      # Only where asking once more is harmless, and the body says something.
      def comparable?(answer)
        !answer.varies? && !answer.body.empty? && answer.request.method == "GET"
      end

      # The note, or nil. Yields if there is no response, which nobody has asked for.
      def unread_cookie(answer)
        timeout_s = patience_s(answer)
        plain = @http.ask(answer.request.without_header("Cookie"), timeout_s:)
        UNREAD if same?(answer, plain)
      rescue TrialError => error
        yield
        format(SILENT, timeout_s) if TOO_LATE.include?(error.reason.code)
      end

      # Some applications return their error page with status 200.
      def note_catch_all(answers)
        asked = answers.find { |answer| page?(answer) } or return answers
        request = Request.new(**asked.request.to_h, path: MISSING_PATH)
        missing = @http.ask(request, timeout_s: patience_s(asked))
        answers.map do |answer|
          page?(answer) && same?(answer, missing) ? answer.noted(CATCH_ALL) : answer
        end
      rescue TrialError, Http::Client::Refused
        answers
      end

      def page?(answer) = comparable?(answer) && answer.type == "text/html"

      def patience_s(answer)
        (PATIENCE * @took_s.fetch(answer.request).max).clamp(PATIENCE_S)
      end

      def same?(answer, reply)
        same = reply.body.bytesize == answer.length
        same &&= reply.body == answer.body if answer.kind == :body
        same && reply.status == answer.status
      end
    end
  end
end
