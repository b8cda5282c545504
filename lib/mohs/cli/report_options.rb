# frozen_string_literal: true

module Mohs
  class CLI
    # --report FILE of the commands that measure: writes the result in a format of other tools,
    # chosen by the file's extension or by a format name before the path.
    class ReportOptions
      NAMED = /\A(?<format>[a-z]\w+):(?<path>.+)\z/
      STDOUT = "-"

      #: (CLI::Context) -> void
      def initialize(context)
        @context = context
        @asked = []
        @files = {}
      end

      #: (OptionParser) -> void
      def define(parser)
        parser.on("--report FILE", "also write the result to this file, in the format of its " \
                                   "extension (.md .csv .xml .json ...) or as FORMAT:FILE; " \
                                   "repeatable (mohs help report)") do
          @asked << parse(_1)
        end
      end

      #: () -> bool
      def any? = @asked.any?

      # Absolute paths of the files.
      #: () -> Array[String]
      def paths = @asked.map { |_, path| File.expand_path(path, @context.dir) }

      # Opens the files before anything takes time; yields, and leaves none half-written. kind: of
      # the document to come. Raises UsageError if a file can't be written, or not in that format.
      #: [T] (String) { () -> T } -> T
      def open(kind)
        check(kind)
        @asked.zip(paths) do |(member, typed), path|
          @files[typed] = [member, OutputFile.new(path)]
        end
        yield
      ensure
        @files.each_value { |_, file| file.close }
      end

      # Writes the document to all files; the block returns it with curves, for formats that draw
      # them. Returns the files' names as typed.
      #: (Hash[Symbol, untyped]) { () -> Hash[Symbol, untyped] } -> Array[String]
      def write(document)
        drawn = yield if @files.any? { |_, (member, _)| member::CURVES }
        @files.map do |path, (member, file)|
          file.write(member.new.call(member::CURVES ? drawn : document))
          file.finish
          path
        end
      end

      private

      # [member, path]
      def parse(text)
        named = NAMED.match(text)
        member = named && Exporters::Documents.fetch(named[:format])
        path = named ? named[:path] : text
        raise UsageError, "--report #{text}: stdout is for the table. Name a file, or run " \
                          "mohs report afterwards." if path == STDOUT

        [member || Exporters::Documents.of_file(path), path]
      end

      def check(kind)
        @asked.each { |member, _| member.verify(kind) }
        twice = paths.tally.find { |_, count| count > 1 }&.first or return
        raise UsageError, "--report: #{twice} is named twice."
      end
    end
  end
end
