# frozen_string_literal: true

require "uri"

module Mohs
  module Http
    # The address of a server as people type it, `http://127.0.0.1:3000/products`.
    module Address
      PORTS = (1..65_535)

      # Why: docs/adr/0019.
      TLS = "only http:// can be measured here; name the server's own address behind the TLS " \
            "proxy"

      module_function

      # Raises UsageError if `text` can't be requested: another protocol, no host, an invalid port;
      # or if it has a password, which would show in the output. tls: whether https:// will do.
      #: (String, ?tls: bool) -> URI::HTTP
      def parse(text, tls: false)
        uri = URI.parse(text)
        fault(text, TLS) if uri.is_a?(URI::HTTPS) && !tls
        fault(text, "only http:// can be measured") unless uri.instance_of?(URI::HTTP) ||
                                                           uri.instance_of?(URI::HTTPS)
        fault(text, "#{uri.port} is not a valid port") unless PORTS.cover?(uri.port)
        fault(text, "a password has no place here") if uri.userinfo
        fault(text, "no host is named") if uri.hostname.to_s.empty?

        uri
      rescue URI::InvalidURIError
        fault(text, "invalid address; use e.g. http://127.0.0.1:3000")
      end

      def fault(text, message) = raise(UsageError, "#{text}: #{message}.")
      private_class_method :fault
    end
  end
end
