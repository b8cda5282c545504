# frozen_string_literal: true

module Mohs
  class CLI
    # The options that take a mix of requests from logs: --from-log and options that refine it.
    class TrafficOptions
      # More could not be told apart in a table, and learning their responses would take too long.
      MOST = 10_000

      WORDS = { format: "--log-format", top: "--log-top", writes: "--with-writes",
                assets: "--with-assets" }.freeze
      private_constant :WORDS

      # From this size in bytes on, reading takes some seconds.
      LARGE = 30_000_000

      # tell: called with lines of progress.
      #: (CLI::Context, tell: ^(Array[String]) -> void) -> void
      def initialize(context, tell:)
        @context = context
        @tell = tell
        @paths = []
        @values = {}
      end

      #: (OptionParser) -> void
      def define(parser)
        formats = "(#{App::Traffic::Formats.names.join(', ')}; .gz too); repeatable"
        parser.on("--from-log FILE", "requests of this access log or HAR, as often as they occur " \
                                     "#{formats}") do |path|
          @paths << path
        end
        parser.on("--log-format NAME", "its format, if it isn't recognized") do |name|
          @values[:format] = name.tap { App::Traffic::Formats.fetch(name) }
        end
        parser.on("--log-top N", "its N most frequent requests (#{App::Traffic::TOP})") do |text|
          @values[:top] = top(text)
        end
        parser.on("--with-writes", "also POST and the like from a log") { @values[:writes] = true }
        parser.on("--with-assets", "also static files from a log") { @values[:assets] = true }
      end

      #: () -> bool
      def any? = @paths.any?

      # The mix of the logs; nil if no log is named. Raises UsageError.
      #: () -> App::Traffic::Mix?
      def mix
        return @mix ||= read if any?

        raise UsageError, "#{WORDS.fetch(@values.keys.first)} needs --from-log FILE" if @values.any?
      end

      private

      def read
        large = @paths.select { |path| size(path) > LARGE }
        @tell.call(["reading #{large.join(', ')}"]) if large.any?
        mix = App::Traffic.read(@paths, dir: @context.dir, **@values)
        @tell.call(mix.notes.map { |line| wrapped(line) })
        mix
      end

      def wrapped(line) = line[/\A */] + @context.style(@context.err).wrap(line.strip, indent: 4)

      def size(path) = File.size?(File.expand_path(path, @context.dir)).to_i

      def top(text)
        number = Options.whole(text, option: "--log-top")
        return number if number <= MOST

        raise UsageError, "--log-top #{text}: #{MOST} at most"
      end
    end
  end
end
