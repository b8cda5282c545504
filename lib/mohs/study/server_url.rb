# frozen_string_literal: true

require "uri"

module Mohs
  class Study
    # The address of a server that already runs on this machine. Load on somebody else's machine
    # would be an attack, and over a network it would measure the network.
    class ServerUrl < Struct.new(:host, :port, keyword_init: true)
      #: (String) -> Study::ServerUrl
      def self.parse(text)
        uri = URI.parse(text)
        fault(text, "only http:// can be measured") unless uri.instance_of?(URI::HTTP)
        fault(text, "is not this machine: load goes to loopback only") \
          unless Loopback.host?(uri.host)
        fault(text, "a path or a password has no place here: --get PATH") \
          unless ["", "/"].include?(uri.path) && [uri.query, uri.userinfo, uri.fragment].none?

        new(host: uri.hostname.sub(Loopback::NAME, "127.0.0.1"), port: uri.port)
      rescue URI::InvalidURIError
        fault(text, "is no address. Write http://127.0.0.1:3000, say")
      end

      def self.fault(text, message) = raise(UsageError, "#{text}: #{message}.")
      private_class_method :fault

      #: () -> String
      def to_s = "http://#{host.include?(':') ? "[#{host}]" : host}:#{port}"
    end
  end
end
