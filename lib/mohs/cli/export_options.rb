# frozen_string_literal: true

module Mohs
  class CLI
    # The options that write what was recorded: one for each form, so that several can be had at
    # once, "-" needs no ending, and no file's name decides what is in it.
    class ExportOptions
      HELP = {
        csv: "each request as a line of CSV (-: stdout)",
        ndjson: "each request as a line of JSON (-: stdout)",
        hdr: "a log of HdrHistogram, a histogram a second (-: stdout)",
        raw: "the recording itself, for mohs show FILE",
      }.freeze
      STDOUT = "-"

      #: (CLI::Context, ?Array[Symbol]) -> void
      def initialize(context, forms = HELP.keys)
        @context = context
        @forms = forms
        @paths = {}
        @files = {}
      end

      #: (OptionParser) -> void
      def define(parser)
        @forms.each do |form|
          parser.on("--#{form} FILE", HELP[form]) { |path| @paths[form] = path }
        end
      end

      #: () -> bool
      def any? = @paths.any?

      #: (Symbol) -> bool
      def asked?(form) = @paths.key?(form)

      # Where the table goes: stdout, unless one of them takes that.
      #: () -> IO
      def table_out = stdout? ? @context.err : @context.out

      # "--csv and --raw", as typed.
      #: () -> String
      def to_s = @paths.keys.map { |form| "--#{form}" }.join(" and ")

      # Opens the files, before anything else is done; yields, and leaves none half-written. Raises
      # UsageError where one can't be written. `json`: a document goes to stdout as well.
      #: [T] (json: bool) { () -> T } -> T
      def open(json:)
        check(json)
        @paths.each { |form, path| @files[form] = file(path) }
        yield
      ensure
        @files.each_value { |file| file.close unless file.equal?(@context.out) }
      end

      # A load, in each form asked for.
      #: (Exporters::LoadResult, ?quiet: bool) -> void
      def write_load(load_result, quiet: false)
        write(quiet:) do |form, out|
          Exporters::Forms.write(form, load_result, out)
          load_result.recording.size
        end
      end

      # Yields each form and where it is to be written, which gives the number of requests, then
      # puts the file in its place, and says what is where.
      #: (?quiet: bool) { (Symbol, IO) -> Integer } -> void
      def write(quiet: false)
        count = 0
        @files.each do |form, file|
          count = yield form, file
          file.finish unless file.equal?(@context.out)
        end
        written = @paths.values - [STDOUT]
        return if quiet || written.empty?

        @context.err.puts("#{Report::Terminal::Numbers.thousands(count)} requests written to " \
                          "#{written.join(', ')}")
      end

      private

      def stdout? = @paths.value?(STDOUT)

      def check(json)
        raise UsageError, "--raw - : a recording is no text. Name a file." if @paths[:raw] == STDOUT

        taken = @paths.values.tally.find { |_, count| count > 1 }&.first
        raise UsageError, "#{to_s} can't both write #{taken}." if taken
        raise UsageError, "--json and #{to_s} can't both write to stdout." if json && stdout?
      end

      def file(path)
        return @context.out if path == STDOUT

        OutputFile.new(File.expand_path(path, @context.dir))
      end
    end
  end
end
