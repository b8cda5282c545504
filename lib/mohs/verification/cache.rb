# frozen_string_literal: true

module Mohs
  class Verification
    # The results of verifications on this machine, in one JSON file of the cache. A result is one
    # of a Ruby as it was, and of this mohs: where either is another now, nothing is known.
    class Cache
      FILE = "servers.json"

      #: (folder: String) -> void
      def initialize(folder:)
        @file = JsonFile.new(File.join(folder, FILE), symbolize_names: true)
      end

      # nil if this was never tried.
      #: (singleton(Servers::Base), Rubies::Ruby) -> Verification::Result?
      def fetch(server, ruby)
        facts = @file.entries[key(server.label, ruby.digest)]
        facts && Result.from_h(facts)
      rescue ArgumentError, KeyError
        nil # written by a mohs with other members
      end

      # In addition to what another mohs has written meanwhile.
      #: (Verification::Result) -> void
      def store(result)
        @file.add(key(result.server, result.digest) => result.to_h)
      end

      private

      def key(server, digest) = :"#{server}|#{digest}|#{Mohs::VERSION}"
    end
  end
end
