# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # What runs and comparisons have in common: a document of variants as `rows`.
      class OfRows < Base
        LOG_LINES = 12
        EXCEPTION = /\[BUG\]|
                     \b[A-Z]\w+(?:Error|Exception|NotFound|Invalid\w*|NotEstablished|Failed)\b/x

        private

        def rows = @document[:rows]

        def measured = rows.select { |row| row[:state] == "measured" }

        # The first row with a log.
        def logged = rows.find { |row| !row[:log_tail].to_s.empty? }

        def next_lines
          run = @document[:run]
          [*(log_command(run) if logged), *stopped(run), *suggestions,
           *([remark("run", "#{run} · show again: #{show}")] if run)]
        end

        def log_command(run)
          [remark("log", "mohs show #{run} --log #{Shell.quoted(logged[:variant])}")]
        end

        def stopped(run)
          return [] if %w[finished running].include?(@document[:state])

          [remark("stopped", [*progress, "continue: mohs resume #{run}"].join(" · "))]
        end

        # How far a stopped run got, as a remark on the figures; nil before there are any.
        def progress
          return if measured.empty?

          done, planned = @document[:rounds].values_at(:done, :planned)
          allow = "; intervals allow for that" if measured.any? { |row| row[:verdict][:interval] }
          "after #{done} of #{Numbers.counted(planned, 'round')}#{allow}"
        end

        # If nothing was measured, the server's log helps most.
        def log
          return if logged.nil? || measured.any?

          View::Log.new(variant: logged[:variant],
                        lines: telling(logged[:log_tail].lines(chomp: true)))
        end

        # The lines from the last exception on, if there is one, as those before it only led to it.
        def telling(lines)
          raised = lines.rindex { |line| line.match?(EXCEPTION) }
          raised ? lines[raised, LOG_LINES] : lines.last(LOG_LINES)
        end
      end
    end
  end
end
