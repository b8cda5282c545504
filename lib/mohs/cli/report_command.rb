# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs report [RUN]`: writes a stored run, or what else it was measured for
    # (Procedure#answer), in a format of other tools. `mohs report FILE`: writes a load from its
    # recording.
    class ReportCommand < Base
      include RunOrRecording

      SUMMARY = "Writes a run as a page, as Markdown, CSV, or for another tool."
      USAGE = "mohs report [RUN|FILE] [--format NAME] [-o FILE]"
      ARGUMENTS = (0..1)
      USUAL = "markdown"

      private

      def banner
        rows = Exporters::Documents.all.map do |member|
          ["  #{member.label}", "#{member::HELP} (#{member::ENDINGS.first})"]
        end
        "#{super}\n\nFormats:\n#{Report::Terminal::Columns.new(rows)}\n"
      end

      def options(parser)
        parser.on("--format NAME", "default: from the extension of -o, or #{USUAL}") do |name|
          @format = Exporters::Documents.fetch(name)
        end
        parser.on("-o", "--output FILE", "write to this file (-: stdout)") do |path|
          @path = path unless path == "-"
        end
        table(parser)
      end

      def check_arguments
        super
        raise UsageError, "--format and --#{exporter.class.label} can't be combined." if
          @format && exporter
        raise UsageError, "--table works only with runs." if @table && file?
      end

      def execute
        member = member()
        file = OutputFile.new(File.expand_path(@path, context.dir)) if @path
        text = member.new.call(member::CURVES ? with_curves(document) : document)
        file ? save(file, text) : context.out.write(text)
        0
      ensure
        file&.close
      end

      def member
        return @format if @format
        return exporter.class if exporter

        @path ? Exporters::Documents.of_file(@path) : Exporters::Documents.fetch(USUAL)
      end

      def document
        return Report::Document.envelope("load", LoadRun::Document.document(load)) if file?

        run = Analysis::Run.new(stored(context.store.call))
        @table ? context.document.call(run) : result(run)
      end

      def with_curves(document)
        file? ? LoadRun::Curves.added(document, load) : super
      end

      def save(file, text)
        file.write(text)
        file.finish
        tell("written: #{@path}")
      end
    end
  end
end
