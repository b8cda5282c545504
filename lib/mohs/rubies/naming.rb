# frozen_string_literal: true

module Mohs
  module Rubies
    # What a Ruby is called: "3.4.5", "3.5.0dev", "jruby-10.0.2.0", "truffleruby-25.0.0".
    module Naming
      # The engine's version as people know it. A development build of TruffleRuby says
      # "0.0-e9e59f4f"; the folder that it was unpacked into then knows better. CRuby's description
      # has the "preview1" and "dev" that its version lacks.
      #: (Hash[String, String], String) -> String
      def self.version(facts, path)
        case facts.fetch("engine")
        when "ruby" then facts.fetch("description")[/\Aruby (\d\S*)/, 1].to_s.sub(/p\d+\z/, "")
        when "truffleruby" then truffle_version(facts.fetch("version"), path)
        else facts.fetch("version")
        end
      end

      #: (String, String) -> String
      def self.name(engine, version) = engine == "ruby" ? version : "#{engine}-#{version}"

      # For one that does not say who it is: the folder above bin/, or the path where that is no
      # name.
      #: (String) -> String
      def self.guess(path)
        folder = folder_of(path)
        folder.match?(/\d/) ? folder.delete_prefix("ruby-") : path
      end

      # RUBY_ENGINE by the name of the folder.
      #: (String) -> String
      def self.guess_engine(path) = folder_of(path)[/\A(jruby|truffleruby)/, 1] || "ruby"

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

      def self.folder_of(path) = File.basename(File.dirname(path, 2))
      private_class_method :folder_of

      def self.truffle_version(version, path)
        return version unless version.start_with?("0.0-")

        folder_of(path)[/truffleruby\D*-(\d+(?:\.\w+)*)\z/, 1] || version
      end
      private_class_method :truffle_version
    end
  end
end
