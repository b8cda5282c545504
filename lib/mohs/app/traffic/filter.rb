# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      # Decides which requests of a log can be repeated, and how. Pure.
      class Filter
        READS = %w[GET HEAD].freeze
        # nginx and other servers reject a longer request line.
        LONGEST = 8000

        # Bytes that are not allowed in a path.
        ODD = /[^!-~]/n

        # What a web server in front of the application, or a CDN, serves in production.
        ASSET = %r{\A/(?:assets|packs|packs-test|vite|fonts|images|img|javascripts|stylesheets)/|
                   \.(?:css|m?js|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|eot|mp4|webm)\z|
                   \A/(?:robots|ads|humans)\.txt\z}xin

        # writes: include requests that change something, as they are in the log. assets: include
        # static files.
        #: (writes: bool, assets: bool) -> void
        def initialize(writes:, assets:)
          @writes = writes
          @assets = assets
        end

        # Why a request is left out, in words that follow a number ("12 answered 4xx"); nil if it
        # can be repeated.
        #: (Traffic::Entry) -> String?
        def reason(entry)
          entry.fault || unsendable(entry) || unread(entry) || unanswered(entry.status) ||
            static(entry.target)
        end

        # [target as it can be sent, names of the secrets removed from it].
        #: (String) -> [String, Array[String]]
        def target(logged)
          sent = logged.b
          sent = sent.sub(/#.*/mn, "").gsub(ODD) { |byte| format("%%%02X", byte.ord) } if
            sent.match?(ODD) || sent.include?("#")
          Query.clean(sent.force_encoding(Encoding::UTF_8))
        end

        private

        def unsendable(entry)
          return "that are not HTTP" unless entry.method && entry.target
          return "with methods mohs does not send" unless Request::METHODS.include?(entry.method)
          return "without a path" unless entry.target.start_with?("/")

          "with a path of more than #{LONGEST} bytes" if entry.target.bytesize > LONGEST
        end

        # A log says only that there was a POST, not what it sent.
        def unread(entry)
          "with methods other than GET and HEAD (--with-writes)" unless
            @writes || entry.whole || READS.include?(entry.method)
        end

        # The client that got a 304 already had the page; mohs does not.
        def unanswered(status)
          case status
          when 200..299, 304 then nil
          when 300..399 then "that were redirected"
          when 400..499 then "answered 4xx"
          when 500..599 then "answered 5xx"
          else "without a response"
          end
        end

        def static(target)
          "for static files (--with-assets)" if !@assets && target.sub(/[?#].*/mn, "").match?(ASSET)
        end
      end
    end
  end
end
