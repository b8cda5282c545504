# frozen_string_literal: true

module Mohs
  module Bisect
    # The line of a gem's released versions between two of them, ordered by version, each in a
    # bundle that otherwise equals the application's (PinnedGemfile).
    class Versions
      LIST_S = 60

      #: (String, app: App, on: Study::Notation, ?cache_dir: String, ?capture: _Call) -> void
      def initialize(gem, app:, on:, cache_dir: Folders.cache, capture: Process::Capture)
        @gem = gem
        @app = app
        @on = on
        @cache_dir = cache_dir
        @capture = capture
      end

      # The points of the line. Raises UsageError; EnvironmentError if RubyGems can't be queried.
      #: (String, String) -> Array[Bisect::Point]
      def points(good, bad)
        raise UsageError, "#{@app.name} has no Gemfile to set #{@gem} in." unless @app.gemfile

        from, to = [good, bad].map { |text| released.fetch(text) { raise UsageError, none(text) } }
        raise UsageError, "#{@gem} #{good} is not older than #{bad}: write the good one first." \
          unless from < to

        between = released.values.select { |version| version.between?(from, to) }
        between.map { |version| point(version.to_s) }
      end

      private

      def released
        @released ||= ask.scan(/(?<![\w.-])\d[\w.]*/).map { |text| Gem::Version.new(text) }
                         .reject(&:prerelease?).uniq.sort.to_h { |version| [version.to_s, version] }
      end

      # "rack (3.2.7, 3.2.6, ...)", possibly with platforms: "nokogiri (1.18.1 ruby java, ...)".
      def ask
        words = ["-S", "gem", "list", "--remote", "--all", "--exact", "--quiet", @gem]
        result = @capture.call(Process::Command.new(argv: [Gem.ruby, *words], env: {}),
                             timeout_s: LIST_S)
        return result.stdout[/^#{Regexp.escape(@gem)} \((.*)\)$/, 1].to_s if result.success?

        why = result.timed_out ? "no answer" : result.stderr.lines.first.to_s.strip
        raise EnvironmentError, "RubyGems can't say which versions of #{@gem} there are: #{why}"
      end

      def none(text)
        return "no released gem #{@gem} found." if released.empty?

        newest = "The newest is #{released.keys.last}."
        "no released #{@gem} #{text} found. " \
          "#{Suggest.hint(text, released.keys, otherwise: newest)}"
      end

      def point(version)
        gemfile = PinnedGemfile.new(app: @app, gem: @gem, version:).write(@cache_dir)
        name = "#{@gem} #{version}"
        notation = Study::Notation.new(**@on.to_h, label: name, gemfile:)
        Point.new(name:, id: version, notation:)
      end
    end
  end
end
