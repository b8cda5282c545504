# frozen_string_literal: true

module Mohs
  class CLI
    # What `mohs`, `mohs run` and `mohs resume` have in common: progress on stderr while the block
    # measures (it is given the receiver of the laboratory's events and gives the run's analysis
    # back), the table on stdout, the exit status. After Ctrl-C or another signal that ends mohs the
    # table is that of what has been measured.
    class Measurement
      # Exit statuses of gates (docs/cli.md).
      REGRESSION = 10
      INCONCLUSIVE = 11

      # exporter: of the document; nil: a table is printed.
      #: (CLI::Context, exporter: Exporters::Documents::Base?, quiet: bool?) -> void
      def initialize(context, exporter:, quiet:)
        @context = context
        @exporter = exporter
        @quiet = quiet
        @signals = StopSignals.new
      end

      #: () { (Proc) -> (Analysis::Run | Hash[Symbol, untyped]) } -> Integer
      def call(&)
        @signals.during do
          document = @context.document.call(with_progress(&))
          @context.out.write((@exporter || screen).call(document))
          @context.out.flush
          status(document)
        end
      end

      private

      # What was drawn is wiped before anything else is printed.
      def with_progress
        progress = progress()
        yield @context.shown_by(progress)
      ensure
        progress.close
      end

      def screen = Report::Terminal.new(style: @context.style(@context.out))

      def progress
        return Report::Terminal::NullProgress.new if @quiet

        kind = @context.live?(@context.err) ? Report::Terminal::LiveProgress : Report::Terminal::LineProgress
        kind.new(@context.err, style: @context.style(@context.err))
      end

      # A comparison without a verdict has failed; gates say what a difference means.
      def compared(document)
        outcomes = document[:gates].map { |gate| gate[:outcome] }
        return REGRESSION if outcomes.include?("fails")
        return INCONCLUSIVE if outcomes.include?("inconclusive")

        document[:verdict][:outcome] == "invalid" ? 1 : 0
      end

      # What was refused (a Ruby that doesn't start here) is told but no failure, unless nothing
      # else was there or it is what all the others were to be compared with.
      def status(document)
        return @signals.status if document[:state] == "interrupted"
        return compared(document) if document[:command] == "compare"

        rows = document[:rows]
        broken = rows.any? { |row| %w[failed invalid].include?(row[:state]) }
        baseline = rows.find { |row| row[:baseline] }
        broken || baseline.nil? || baseline[:state] != "measured" ? 1 : 0
      end
    end
  end
end
