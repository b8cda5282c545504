# frozen_string_literal: true

module Mohs
  module Report
    module Templates
      # Texts of reasons that have none of their own (Report::Render.reason): for responses that
      # can't be measured (App::Refusal, which has the values) or compared.
      module Refusals
        # The usual meaning of a status when somebody measures an application for the first time,
        # and what to try.
        STATUSES = {
          400 => ["The application does not accept the request",
                  "Change it: --header, --post and --body"],
          401 => ["It asks for credentials",
                  "--header \"Authorization: Bearer ...\" or --header \"Cookie: ...\""],
          403 => ["It refuses this client",
                  "Add --header \"Cookie: ...\". If the application checks the host, add " \
                  "--header \"Host: ...\"."],
          404 => ["There is no such page", "Name an existing page: --get /path"],
          405 => ["The path needs another method", "--get or --post"],
          406 => ["It has the page in another format",
                  "--header \"Accept: text/html\", or a path that ends in .json"],
          422 => ["A form needs its CSRF token, which a repeated request can't have",
                  "Measure a GET, or an API's path."],
          429 => ["It limits the request rate (rack-attack?)", "Switch that off with --env."],
        }.freeze

        # Why a cookie was refused, and what to do about it, by whether the secret is temporary.
        COOKIES = {
          true => "The cookie was made with another secret than the temporary one that mohs uses " \
                  "because it was given none",
          false => "The cookie was not accepted: it has expired, or it was made for another host " \
                   "or with another secret",
        }.freeze
        GIVE_SECRET = "Add --env-file FILE. In FILE: SECRET_KEY_BASE=..."
        WHICH_SECRET = "It is the secret of the application that made the cookie. If its " \
                       "credentials have it, give RAILS_MASTER_KEY=... (config/master.key) instead."
        DEVELOPMENT = "A development server has it in tmp/local_secret.txt (before Rails 7.1: " \
                      "tmp/development_secret.txt), config/secrets.yml or the credentials."
        NEW_COOKIE = "Log in again, to an application with the same SECRET_KEY_BASE, and send " \
                     "its cookie. If the application checks the host, add --header \"Host: ...\"."

        SET_UP = "Set it up in the database that it uses here, as its manual says; a private one " \
                 "(--service) is set up by #{App::KnownErrors::OWN_SCRIPT}"

        module_function

        # How the server responded, by the code of a refusal; a phrase to follow the request.
        #: (String, Hash[Symbol, untyped]) -> String
        def fact(code, values)
          case code
          when "redirected"
            further = ", and that leads to #{values[:finally]}" if values[:finally]
            "returned #{values[:status]} to #{values[:to] || 'nowhere'}#{further}"
          when "error_status"
            "returned #{values.values_at(:status, :phrase).join(' ').rstrip}, " \
            "#{body(values[:seen])}"
          when "text_missing"
            "returned #{values[:status]}, without the text #{values[:expect].inspect} " \
            "(--expect), but with #{body(values[:seen])}"
          when "unreadable" then values[:fact]
          end
        end

        # The same with the request and the meaning, in sentences.
        #: (String, Hash[Symbol, untyped]) -> String
        def whole(code, values)
          first = [*values[:request], fact(code, values)].join(" ")
          [first, *meaning(code, values)].join(". ")
        end

        # What to try; nil if nothing is known to help.
        #: (String, Hash[Symbol, untyped]) -> String?
        def remedy(code, values)
          return cookie_remedy(**values[:cookie]) if values[:cookie]
          return SET_UP if values[:set_up]
          return "try   #{values[:tries].join('   or   ')}" if code == "redirected"
          return unless code == "error_status"

          trouble = values[:trouble]
          return rate_limit(**values[:limit]) if values[:limit] && !trouble

          trouble ? trouble[:remedy] : STATUSES.dig(values[:status], 1)
        end

        def rate_limit(file:, line:, variables:)
          place = "Raise the limit in #{file}:#{line}"
          return "#{place}, or in what that line reads: a setting, or a variable (--env)" if
            variables.empty?

          options = variables.map { |name| "--env #{name}=..." }
          "#{place}, or perhaps by a variable that this file reads: #{options.join(', ')}"
        end

        # How a response differs from that of `other`, a name.
        #: (Hash[Symbol, untyped], String) -> String
        def difference(values, other)
          request, kind = values.values_at(:request, :kind)
          return "#{request} is #{kind}, but not by #{other}" if %w[refused answered].include?(kind)

          unit = " bytes" if kind == "length"
          "#{request} returned #{values[:answer] || "no #{kind}"}#{unit} where #{other} returned " \
            "#{values[:other] || 'none'}"
        end

        # The first refused request of a log's mix: its code and values.
        #: (Hash[Symbol, untyped]) -> [String, Hash[Symbol, untyped]]
        def first(values)
          code, of = values[:refusal].values_at(:code, :values)
          [code, { request: values[:first], **of }]
        end

        # again: a Proposal with the option that gives the secret; nil: not known.
        def cookie_remedy(temporary:, files:, again: nil)
          return NEW_COOKIE unless temporary

          give = again ? [again.to_s, Wording.capital(again.hint)] : [GIVE_SECRET]
          where = DEVELOPMENT
          where = "This application has secrets in #{files.join(' and ')}." if files.any?
          [*give, WHICH_SECRET, where].join("\n")
        end

        def check(values)
          fact = "checks.yml: #{values[:request]} gave #{values[:complaint]}"
          values[:cookie] ? "#{fact}. #{meaning('check_failed', values)}" : fact
        end

        def body(seen)
          return "an empty body" if seen.empty?

          seen[:title] ? "a page called #{seen[:title].inspect}" : seen[:text].inspect
        end

        def meaning(code, values)
          return COOKIES.fetch(values[:cookie][:temporary]) if values[:cookie]
          return "It wants to be set up first, for example to get its first user" if values[:set_up]
          return "With the cookie the answer is a redirect to #{values[:to] || 'nowhere'}, so " \
                 "the cookie may not be accepted" if values[:with_cookie]
          return "A redirect says nothing about the app's speed" if code == "redirected"
          return unless code == "error_status"

          known = values.dig(:trouble, :summary)
          return Wording.capital(known) if known

          STATUSES.dig(values[:status], 0) || "The server's log says more"
        end

        private_class_method :rate_limit, :cookie_remedy, :body, :meaning

        CODES = %w[redirected error_status text_missing unreadable].freeze

        TEXTS = {
          **CODES.to_h { |code| [code, ->(values, _) { whole(code, values) }] },
          "check_failed" => ->(values, _) { check(values) },
          "mix_refused" => lambda do |values, numbers|
            "#{values[:requests]} of the log's #{values[:of]} requests, " \
              "#{numbers.percent(values[:share])} by weight, are refused here: is it the same " \
              "application, with the same data? The first: #{whole(*first(values))}"
          end,
          "answers_differ" => lambda do |values, _|
            difference(values, values[:variant] || "its other server")
          end,
        }.freeze

        REMEDIES = {
          **CODES.to_h { |code| [code, ->(values) { remedy(code, values) }] },
          "check_failed" => ->(values) { remedy("check_failed", values) },
          "mix_refused" => ->(values) { remedy(*first(values)) },
        }.freeze
      end
    end
  end
end
