# frozen_string_literal: true

require "digest"

module Mohs
  class Verification
    # The results of verifications on this machine, in one JSON file of the cache. A result belongs
    # to a Ruby as it was and to the code that tried the server: if either has changed, nothing is
    # known.
    class Cache
      FILE = "servers.json"
      # What a result depends on besides the server's own file, below `lib`.
      SOURCES = %w[verification.rb verification/*.rb inside/verification/* inside/servlet.rb
                   servers/base.rb].freeze

      # lib: the folder of these files.
      #: (folder: String, ?lib: String) -> void
      def initialize(folder:, lib: File.expand_path("..", __dir__))
        @lib = lib
        @sources = {}
        @file = JsonFile.new(File.join(folder, FILE), symbolize_names: true)
      end

      # nil if this combination was never tried.
      #: (singleton(Servers::Base), Rubies::Ruby) -> Verification::Result?
      def fetch(server, ruby)
        facts = @file.entries[key(server.label, ruby.digest)]
        facts && Result.from_h(facts)
      rescue ArgumentError, KeyError
        nil # written by a mohs with other members
      end

      # Adds a result to those that another mohs may have written meanwhile.
      #: (Verification::Result) -> void
      def store(result)
        @file.add(key(result.server, result.digest) => result.to_h)
      end

      private

      def key(server, digest) = :"#{server}|#{digest}|#{Mohs::VERSION}|#{sources(server)}"

      def sources(server)
        @sources[server] ||= begin
          files = Dir.glob([*SOURCES, "servers/#{server}.rb"], base: @lib).sort
          Digest::SHA256.hexdigest(files.map { |file| line(file) }.join)
        end
      end

      def line(file) = "#{file} #{Digest::SHA256.file(File.join(@lib, file)).hexdigest}\n"
    end
  end
end
