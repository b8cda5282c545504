# frozen_string_literal: true

require "digest"

module Mohs
  module Bisect
    # The application's Gemfile and lock with one gem at another version, in a folder that can be
    # rebuilt; the application's own files are not changed.
    class PinnedGemfile
      # Replaces the gem's line in the Gemfile: Bundler does not accept a second requirement.
      PIN = <<~RUBY
        before = dependencies.find { |dependency| dependency.name == %<gem>s }
        dependencies.delete(before)
        gem %<gem>s, %<version>s, groups: [:default, *before&.groups].uniq,
                                  require: before&.autorequire || [%<gem>s]
      RUBY

      # Patterns for a lock: a gem with its dependencies below it; an exact dependency.
      ENTRY = /^ {4}(\S+) \([^)]*\)\n((?: {6}.*\n)*)/
      EXACTLY = /^ {6}(\S+) \(= /
      CHECKSUM = /^ {2}(\S+) \([^)]*\) sha256=.*\n/

      #: (app: App, gem: String, version: String) -> void
      def initialize(app:, gem:, version:)
        @app = app
        @gem = gem
        @version = version
      end

      # Path of the Gemfile; its lock is beside it if the application has one.
      #: (String) -> String
      def write(cache_dir)
        key = Digest::SHA256.hexdigest([@app.dir, gemfile, lock].join("\0"))[0, 20]
        place = App::Checkouts.new(cache_dir).fetch("gemfile-#{key}") do |folder|
          File.write(File.join(folder, "Gemfile"), gemfile)
          File.write(File.join(folder, "Gemfile.lock"), lock) if @app.lock
        end
        File.join(place, "Gemfile")
      end

      #: () -> String
      def gemfile
        "eval_gemfile #{@app.gemfile.dump}\n" \
          "#{format(PIN, gem: @gem.dump, version: "= #{@version}".dump)}"
      end

      # The application's lock without the gem and without the gems that are released together with
      # it (rails and its parts require each other's exact version): Bundler resolves these again
      # and keeps the others. nil if there is no lock.
      #: () -> String?
      def lock
        return unless @app.lock

        text = File.read(@app.lock, encoding: Encoding::UTF_8).gsub("\r\n", "\n")
        free = together(text)
        text.gsub(ENTRY) { |entry| free.include?(Regexp.last_match(1)) ? "" : entry }
            .gsub(CHECKSUM) { |line| free.include?(Regexp.last_match(1)) ? "" : line }
      end

      private

      def together(text)
        pairs = text.scan(ENTRY).flat_map do |name, needs|
          needs.scan(EXACTLY).map { |(other)| [name, other] }
        end
        found = [@gem]
        loop do
          more = pairs.select { |pair| (pair & found).any? }.flatten - found
          return found if more.empty?

          found |= more
        end
      end
    end
  end
end
