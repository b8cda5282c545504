# frozen_string_literal: true

require "fileutils"
require "json"

module Mohs
  class Verification
    # The results of verifications on this machine, in one JSON file of the cache. A result is one
    # of a Ruby as it was, and of this mohs: where either is another now, nothing is known.
    class Cache
      FILE = "servers.json"

      #: (folder: String) -> void
      def initialize(folder:)
        @path = File.join(folder, FILE)
      end

      # nil if this was never tried.
      #: (singleton(Servers::Base), Rubies::Ruby) -> Verification::Result?
      def fetch(server, ruby)
        facts = entries[key(server.label, ruby.digest)]
        facts && Result.from_h(facts)
      rescue ArgumentError, KeyError
        nil # written by a mohs with other members
      end

      # In addition to what another mohs has written meanwhile.
      #: (Verification::Result) -> void
      def store(result)
        @entries = nil
        FileUtils.mkdir_p(File.dirname(@path), mode: 0o700)
        fresh = { key(result.server, result.digest) => result.to_h }
        WholeFile.write(@path, JSON.pretty_generate(entries.merge(fresh)))
        @entries = nil
      end

      private

      def key(server, digest) = :"#{server}|#{digest}|#{Mohs::VERSION}"

      def entries
        @entries ||= begin
          found = File.file?(@path) ? JSON.parse(File.read(@path), symbolize_names: true) : {}
          found.is_a?(Hash) ? found : {}
        rescue JSON::ParserError, SystemCallError
          {}
        end
      end
    end
  end
end
