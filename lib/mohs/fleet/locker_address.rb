# frozen_string_literal: true

require "json"
require "uri"

module Mohs
  module Fleet
    # Says to Que's locker where its session goes. The locker takes a URL to pieces by URI.parse
    # (que 2.4.1, locker.rb) and decodes none of them, neither a password nor options: so it is
    # given a URL of a scheme of our own, whose pieces are what libpq wants. Anything else would
    # mean patching Que.
    class LockerAddress < URI::Generic
      SCHEME = "mohslocker"

      # A query, or one pair of it, that is in pieces already.
      Pieces = Struct.new(:pieces) do
        def split(_separator) = pieces
      end
      private_constant :Pieces

      URI.register_scheme(SCHEME.upcase, self)

      # The address of a session with these parameters of libpq.
      #: (Hash[Symbol, Integer | String]) -> String
      def self.of(parameters)
        "#{SCHEME}:#{[JSON.generate(parameters)].pack('m0').tr('+/=', '-_.')}"
      end

      # What they do not say (PGHOST and the like, a service, a file of passwords) is as the store's
      # own session has it: the locker turns a missing user into an empty name.
      #: (Store, Hash[Symbol, Integer | String]) -> String
      def self.beside(store, parameters)
        known = store.beside do |database|
          database.synchronize do |session|
            { host: session.host, port: session.port, user: session.user,
              password: session.pass, dbname: session.db }
          end
        end
        of({ **known, **parameters })
      end

      # These are in the query.
      #: () -> nil
      def host = nil

      #: () -> String
      def path = ""

      # Pairs of a name and a value.
      #: () -> untyped
      def query
        parameters = JSON.parse(opaque.tr("-_.", "+/=").unpack1("m0"))
        Pieces.new(parameters.compact.map { |pair| Pieces.new(pair.map(&:to_s)) })
      end
    end
  end
end
