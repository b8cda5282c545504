# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # What runs and comparisons have in common: a document of variants as `rows`.
      class OfRows < Base
        # Metrics that may change with the speed.
        COSTS = %w[memory cpu p99 boot].map { |name| Analysis::Metric.named(name) }.freeze

        # Before the reason why a variant has no figures, by its state.
        REASONS = { "refused" => "not run: ", "failed" => "failed: ", "invalid" => "invalid: ",
                    "waiting" => "not reached yet" }.freeze

        # Percentiles that need fewer requests than p99 (Analysis::Latency), the best first.
        LOWER = %i[p95 p90].freeze

        LOG_LINES = 12
        # Codes of reasons that the response itself gives: the log has the request, and no more.
        ANSWERED = %w[redirected text_missing login_refused].freeze
        EXCEPTION = /\[BUG\]|
                     \b[A-Z]\w+(?:Error|Exception|NotFound|Invalid\w*|NotEstablished|Failed)\b/x

        private

        def rows = @document[:rows]

        def measured = rows.select { |row| row[:state] == "measured" }

        # The first row with a log.
        def logged = rows.find { |row| !row[:log_tail].to_s.empty? }

        # What the answer is about: which, by how much, how sure, at what cost.
        def facts
          return [] unless pick

          slower = pick.dig(:verdict, :outcome) == "slower"
          slower && base ? of_baseline : of_pick
        end

        def of_pick
          [["which", pick[:variant]], ["by how much", pick.dig(:verdict, :text)],
           ["how sure", certainty], ["at what cost", costs(base, pick)]]
        end

        # The facts if the fastest candidate is slower than the baseline.
        def of_baseline
          [["which", "#{base[:variant]}, the baseline"],
           ["by how much", "#{pick[:variant]}, the next: #{pick.dig(:verdict, :text)}"],
           ["how sure", certainty], ["at what cost", costs(pick, base)]]
        end

        def certainty
          return Numbers.counted(rounds.to_i, "round") unless interval?

          count = candidates.size
          all = " for all #{count} candidates together" if count > 1
          "95 % interval#{all}, from #{Numbers.counted(rounds.to_i, 'round')} of fresh servers"
        end

        def rounds = @document.dig(:rounds, :done)

        # False for an invalid verdict, whose interval proves nothing.
        def interval?(of = pick)
          verdict = of.fetch(:verdict).to_h
          verdict[:interval] && verdict[:outcome] != "invalid"
        end

        # ["memory 31 → 58 MB", ...]: costs of one row and of another; only the second if the first
        # is unknown.
        def costs(from, to)
          known = COSTS.filter_map do |metric|
            was, now = [from, to].map { |row| row && metric.of_row(row) }
            next unless now

            ends = [was, now].compact.map { |one| Numbers.figure(metric.shown(one)) }
            same = " for both" if was && ends.uniq.one?
            "#{metric.title} #{ends.uniq.join(' → ')} #{metric.unit}#{same}"
          end
          [*known, *failures(to)]
        end

        def failures(row)
          share = row.dig(:errors, :share)
          "#{Numbers.percent(share)} of its requests failed" if share&.positive?
        end

        # The variant that the sentence is about; nil without one.
        def pick = candidates.first

        def candidates = measured.reject { |row| row[:baseline] }

        def base = measured.find { |row| row[:baseline] }

        # Where there are too few requests for a p99, a lower percentile says how long slow ones
        # take: the highest that all rows with one have.
        def lower_percentile
          some = short.select { |row| row.dig(:latency_ms, LOWER.last) }
          name = highest(some) or return

          texts = some.map do |row|
            "#{Numbers.figure(row[:latency_ms][name])} ms (#{row[:variant]})"
          end
          remark(name.to_s, texts.join(", "))
        end

        # The percentile of slow requests for a table: p99, or if no row has enough requests for it,
        # the highest that all have.
        def tail = (highest(measured) if short.size == measured.size) || :p99

        # Rows that have too few requests for a p99.
        def short
          measured.select { |row| row.dig(:latency_ms, :missing_codes).to_h[:p99] == "few" }
        end

        def highest(rows)
          LOWER.find { |name| rows.all? { |row| row.dig(:latency_ms, name) } } if rows.any?
        end

        def next_lines
          again = show("show again") if @document[:run]
          [log_command, stopped(*progress), *suggestions, again].compact
        end

        def log_command
          variant = logged&.fetch(:variant) or return
          remark("log", "", command: Proposal.to("show", @document[:run], log: variant))
        end

        # How far a stopped run got, as a remark on the figures; nil before there are any.
        def progress
          return if measured.empty?

          done, planned = @document[:rounds].values_at(:done, :planned)
          allow = "; intervals allow for that" if measured.any? { |row| row[:verdict][:interval] }
          "after #{done} of #{Numbers.counted(planned, 'round')}#{allow}"
        end

        # If nothing was measured, the log of a server that had more to say than its response helps
        # most.
        def log
          return if measured.any?

          able = rows.reject { |row| answered.include?(row[:variant]) }
          able.lazy.filter_map { |row|
            lines = telling(row[:log_tail].to_s.lines(chomp: true))
            View::Log.new(variant: row[:variant], lines:) if lines.any?
          }.first
        end

        def answered
          reasons = @document[:reasons].to_a.select { |one| ANSWERED.include?(one[:code]) }
          reasons.flat_map { |one| one[:variants] }
        end

        # The lines from the last exception on, if there is one, as those before it only led to it;
        # none that a server writes whenever it boots.
        def telling(lines)
          lines = lines.reject { |line| LogExcerpt.usual?(line) }
          raised = lines.rindex { |line| line.match?(EXCEPTION) }
          raised ? lines[raised, LOG_LINES] : lines.last(LOG_LINES)
        end
      end
    end
  end
end
