# frozen_string_literal: true

module Mohs
  module Rubies
    # What a Ruby is called: "3.4.5", "3.5.0dev", "jruby-10.0.2.0", "truffleruby-25.0.0".
    module Naming
      #: (String, String) -> String
      def self.of(engine, version)
        engine == Engines::REFERENCE ? version : "#{engine}-#{version}"
      end

      # For one that does not say who it is: the folder above bin/, or the path where that is no
      # name.
      #: (String) -> String
      def self.guess(path)
        folder = folder(path)
        folder.match?(/\d/) ? folder.delete_prefix("ruby-") : path
      end

      # RUBY_ENGINE by the name of the folder.
      #: (String) -> String
      def self.guess_engine(path)
        Engines.real.map(&:ruby_engine).find { |name| folder(path).start_with?(name) } ||
          Engines::REFERENCE
      end

      # Each gets a name of its own: the first keeps the plain one, the next says who found it
      # ("3.4.5-rbenv").
      #: (Array[Ruby]) -> Array[Ruby]
      def self.distinguish(rubies)
        taken = []
        rubies.map do |ruby|
          second = "#{ruby.name}-#{ruby.source}"
          names = [ruby.name, second, *(2..rubies.size).map { |number| "#{second}-#{number}" }]
          taken << (names - taken).first
          taken.last == ruby.name ? ruby : ruby.dup.tap { |copy| copy.name = taken.last }.freeze
        end
      end

      # The name of the folder that holds bin/ruby.
      #: (String) -> String
      def self.folder(path) = File.basename(File.dirname(path, 2))
    end
  end
end
