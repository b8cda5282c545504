# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs show RUN`: a finished or interrupted run's table again; `--log VARIANT` the last lines
    # of a server's log.
    class Show < Base
      SUMMARY = "Shows the table of a run again, or the log of one of its servers."
      USAGE = "mohs show RUN [--log VARIANT]"
      ARGUMENTS = (1..1)

      private

      def options(parser)
        parser.on("--log VARIANT", "last lines of that variant's server log") { |name| @log = name }
      end

      def execute
        store = context.store.call
        document = Report::Model.build(really(store.result(store.run(arguments.first)[:id])))
        return log(document) if @log

        print_document(document)
      end

      def really(result)
        run, cohorts = result.values_at(:run, :cohorts)
        { **result, run: { **run, state: Runner.state(run, cohorts) } }
      end

      def log(document)
        row = document[:rows].find { |candidate| candidate[:variant] == @log }
        raise UsageError, no_variant(document) unless row

        lines = row[:log_tail]
        answer("show", run: document[:run], variant: @log, log_tail: lines) do
          lines ? "#{lines.chomp}\n" : "#{@log} ended well: logs of what went wrong are kept.\n"
        end
      end

      def no_variant(document)
        names = document[:rows].map { |row| row[:variant] }
        near = DidYouMean::SpellChecker.new(dictionary: names).correct(@log).first
        "run #{document[:run]} has no variant #{@log.inspect}. " +
          (near ? "Did you mean #{near.inspect}?" : "It has: #{names.join(', ')}.")
      end
    end
  end
end
