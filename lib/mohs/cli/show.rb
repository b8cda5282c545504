# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs show [RUN]`: prints a run's table again, or what else it was measured for
    # (Procedure#answer); without a key, of the newest run. `--table`: the table alone; `--log
    # VARIANT`: the last lines of a server's log; `--memory`: where its memory is. `mohs show
    # FILE`: prints the table of a load from its recording (--raw).
    class Show < Base
      include RunOrRecording

      SUMMARY = "Shows the table of a run or load again, or the log of a server."
      USAGE = "mohs show [RUN|FILE] [options]"
      ARGUMENTS = (0..1)
      # Columns before those of the observations, if a run has several servers.
      ORIGIN = %w[cohort trial variant].freeze
      NO_LOG = "No log: mohs keeps those of servers that failed or responded wrongly.\n"

      private

      def options(parser)
        parser.on("--log VARIANT", "last lines of that variant's server log") { |name| @log = name }
        parser.on("--memory", "memory of each variant and process, private and shared") do
          @memory = true
        end
        table(parser)
        @exports = ExportOptions.new(context, &:text?)
        @exports.define(parser)
      end

      def execute
        check_options
        @exports.open(document: !exporter.nil?) { file? ? recording : run }
      end

      def check_options
        part = ("--log" if @log) || ("--memory" if @memory) || ("--table" if @table)
        raise UsageError, "#{part} works only with runs." if part && file?
        raise UsageError, "--log and --memory can't be combined." if @log && @memory

        whole = @exports.asked.reject { |_, exporter| exporter.rows? }.keys.first
        raise UsageError, "--#{whole} works only with recordings." if whole && !file?
        raise UsageError, "--log and #{@exports} can't be combined." if @log && @exports.any?
      end

      def recording
        print_load(LoadRun::Document.document(load), @exports.table_out)
        @exports.write_load(load)
        0
      end

      def run
        store = context.store.call
        run = stored(store)
        document = document(Analysis::Run.new(run))
        return log(document) if @log

        print_run(document, @exports.table_out)
        @exports.write do |exporter, out|
          write_run(store, run, exporter.new(out, origin: ORIGIN))
        end
        0
      end

      # Logs, memory and table need the run's own document.
      def document(run)
        @log || @memory || @table ? context.document.call(run) : result(run)
      end

      def print_run(document, out)
        return print_document(document, out) unless @memory

        write(document, out) do
          Report::Terminal::MemoryScreen.new(document, style: context.style(out)).to_s
        end
      end

      # One trial at a time: each has its own recording. Returns the number of requests.
      def write_run(store, run, rows)
        count = run.trials.sum do |trial|
          recording = Load::Recording.decode(store.observations(trial.id))
          rows.add(recording, trial.cohort_id, trial.id, trial.variant)
          recording.size
        end
        tell("the recorded requests of run #{run.key} were deleted (mohs gc)") if
          count.zero? && run.trials.any?(&:measured?)
        count
      end

      def log(document)
        row = document[:rows].find { |candidate| candidate[:variant] == @log }
        raise UsageError, no_variant(document) unless row

        lines = row[:log_tail]
        answer("show", run: document[:run], variant: @log, log_tail: lines) do
          lines ? "#{lines.chomp}\n" : NO_LOG
        end
      end

      def no_variant(document)
        names = document[:rows].map { |row| row[:variant] }
        hint = Suggest.hint(@log, names, otherwise: "It has: #{names.join(', ')}.", &:inspect)
        "run #{document[:run]} has no variant #{@log.inspect}. #{hint}"
      end
    end
  end
end
