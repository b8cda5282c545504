# frozen_string_literal: true

require "uri"

module Mohs
  class App
    # Interprets the Location of a redirect. Pure.
    module Redirect
      LOGIN = %r{/(?:log[_-]?in|sign[_-]?in|sessions?|auth)\b}i
      # Where an application sends everybody until it has a first user, or its settings.
      SET_UP = %r{\A/(?:first[_-]?run|set[_-]?up|install(?:ation|er)?|onboarding)(?=[/?]|\z)}i

      # Longer Locations are not parsed: nobody could type one, and Ruby's parser takes quadratic
      # time.
      LONGEST = 2000

      module_function

      # Does the response redirect a plain request to the same path under https://?
      #: (App::Request, Http::Reply) -> bool
      def to_tls?(request, reply)
        return false unless redirect?(reply)

        target = location(reply)
        target&.scheme == "https" && [target.request_uri, "#{target.path}/"].include?(request.path)
      end

      #: (Http::Reply) -> bool
      def redirect?(reply)
        [301, 302, 303, 307, 308].include?(reply.status) && !reply.location.nil?
      end

      # Path and query of a Location that can be requested instead; nil if it points elsewhere, or
      # to the same path under https://.
      #: (App::Request, Http::Reply) -> String?
      def path(request, reply)
        target = location(reply)
        return if target.nil? || (to_tls?(request, reply) && !behind_tls?(request))

        target.request_uri if Loopback.host?(target.host) || target.host == request.header("Host")
      end

      # Does a proxy that terminates TLS seem to forward the request? If so, the application's own
      # Locations begin with https.
      #: (App::Request) -> bool
      def behind_tls?(request) = request.header("X-Forwarded-Proto") == "https"

      # Does the response redirect to a login page, of this or another host?
      #: (App::Request, Http::Reply) -> bool
      def to_login?(request, reply)
        path = location(reply)&.path if redirect?(reply)
        !path.nil? && login?(path) && path != request.path.split("?").first
      end

      #: (String) -> bool
      def login?(path) = path.match?(LOGIN)

      #: (String) -> bool
      def set_up?(path) = path.match?(SET_UP)

      def location(reply)
        return if reply.location.to_s.size > LONGEST

        target = URI.parse(reply.location.to_s)
        target.is_a?(URI::HTTP) ? target : URI.parse("http://127.0.0.1#{target}")
      rescue URI::Error
        nil
      end

      private_class_method :location
    end
  end
end
