# frozen_string_literal: true

module Mohs
  class CLI
    # The options that write recorded requests, one for each of Exporters::Recordings: so several
    # can be used at once, "-" needs no extension, and no file name decides the format.
    class ExportOptions
      STDOUT = "-"

      # The block selects exporters; without a block all are available.
      #: (CLI::Context) ?{ (singleton(Exporters::Recordings::Base)) -> bool } -> void
      def initialize(context, &chosen)
        @context = context
        @chosen = chosen || ->(_) { true }
        @paths = {}
        @files = {}
      end

      #: (OptionParser) -> void
      def define(parser)
        Exporters::Recordings.names.each do |name|
          exporter = Exporters::Recordings.fetch(name)
          next unless @chosen.call(exporter)

          parser.on("--#{name} FILE", exporter::HELP) { |path| @paths[name] = path }
        end
      end

      #: () -> bool
      def any? = @paths.any?

      # The requested exporters, by name.
      #: () -> Hash[String, singleton(Exporters::Recordings::Base)]
      def asked = @paths.keys.to_h { |name| [name, Exporters::Recordings.fetch(name)] }

      # Where the table goes: stdout, unless an exporter writes there.
      #: () -> IO
      def table_out = stdout? ? @context.err : @context.out

      # Absolute paths of the files.
      #: () -> Array[String]
      def paths
        (@paths.values - [STDOUT]).map { |path| File.expand_path(path, @context.dir) }
      end

      # "--csv and --raw", as typed.
      #: () -> String
      def to_s = @paths.keys.map { |name| "--#{name}" }.join(" and ")

      # Opens the files before anything else is done; yields, and leaves none half-written. Raises
      # UsageError if a file can't be written. document: whether a document goes to stdout as well.
      #: [T] (document: bool) { () -> T } -> T
      def open(document:)
        check(document)
        @paths.each { |name, path| @files[name] = file(path) }
        yield
      ensure
        @files.each_value { |file| file.close unless file.equal?(@context.out) }
      end

      # Writes a load in each requested format.
      #: (Load::Result, ?quiet: bool?) -> void
      def write_load(result, quiet: false)
        write(quiet:) do |exporter, out|
          exporter.new(out).write(result)
          result.recording.size
        end
      end

      # Yields each exporter and its output; the block returns the number of requests. Then moves
      # the file to its place, and prints where it is.
      #: (?quiet: bool?) { (singleton(Exporters::Recordings::Base), _Sink) -> Integer } -> void
      def write(quiet: false)
        count = 0
        @files.each do |name, file|
          count = yield Exporters::Recordings.fetch(name), file
          file.finish unless file.equal?(@context.out)
        end
        written = @paths.values - [STDOUT]
        return if quiet || written.empty?

        @context.err.puts("#{Report::Numbers.thousands(count)} requests written to " \
                          "#{written.join(', ')}")
      end

      private

      def stdout? = @paths.value?(STDOUT)

      def check(document)
        binary = asked.find { |name, exporter| @paths[name] == STDOUT && !exporter.text? }&.first
        raise UsageError, "--#{binary} - : binary data is not written to stdout. Name a file." if
          binary

        taken = @paths.values.tally.find { |_, count| count > 1 }&.first
        raise UsageError, "#{to_s} can't both write #{taken}." if taken
        raise UsageError, "a document and #{to_s} can't both write to stdout." if
          document && stdout?
      end

      def file(path)
        return @context.out if path == STDOUT

        OutputFile.new(File.expand_path(path, @context.dir))
      end
    end
  end
end
