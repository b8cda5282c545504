# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load: the distribution of its latencies, its figures, its errors, and the steps of a
    # scenario.
    class Section < Report::Sections::Base
      KEY = "load"
      TITLE = "The load"
      HOW = "Each bar is a range of latencies, the ranges widening to the right, and its " \
            "height the number of responses. Two hills are two kinds of responses; a long flat " \
            "foot is the tail."
      ANSWERS = ["request", "status", "type", "bytes", "compared by", "has to contain"].freeze
      SCENARIO = ["action", "step", "sent", "correct", "p50 ms", "p99 ms", "errors"].freeze

      private

      def any? = @document[:latency_ms].is_a?(Hash)

      def parts
        [*([picture, bar_table] if bars.size > 1), times, facts, errors, scenario, answers]
      end

      def how = (HOW if bars.size > 1)

      def bars = @document[:histogram].to_a

      def picture
        from = bars.map { |bar| bar[:from_ms] }
        ends = [*from.drop(1), from.last * from[1] / from[0]]
        range = [from.first, ends.last].map { |ms| Report::Numbers.figure(ms) }.join(" to ")
        Parts::Bars.new(key: "plot", title: "Responses by latency", unit: :ms,
                        text: "#{bars.sum { |bar| bar[:count] }} responses from #{range} ms",
                        bars: bars.zip(ends).map { |one, to| bar(one, to) })
      end

      def bar(bar, to)
        ends = [bar[:from_ms], to].map { |ms| Report::Numbers.figure(ms) }.join(" to ")
        [bar[:from_ms], to, bar[:count], "#{ends} ms: #{Report::Numbers.whole(bar[:count])}"]
      end

      def bar_table
        rows = bars.map do |bar|
          [Report::Numbers.figure(bar[:from_ms]), Report::Numbers.whole(bar[:count])]
        end
        folded("Figures", listed("Responses by latency", ["from ms", "responses"], rows))
      end

      def times
        kinds = [@document[:latency_ms],
                 (@document[:service_ms] if @document[:open_loop])].compact
        rows = kinds.map do |one|
          times = View::TIMES.keys.map { |key| Report::Numbers.latency(one[key], one.dig(:more_than, key)) }
          [one[:kind], *times, Report::Numbers.whole(one[:unanswered])]
        end
        listed("Latency in ms; requests without a correct response rank as the slowest",
               ["times", *View::TIMES.values, "unanswered"], rows)
      end

      def facts
        known = [["requests", counts(:requests, %i[sent completed good])],
                 ["connections", counts(:connections, %i[asked opened lost])],
                 ["due", [*(offered && "#{Report::Numbers.figure(offered)}/s")]],
                 ["lateness of the driver", lag], ["driver", [@document[:driver]]]]
        pairs(known.map { |name, texts| [name, texts.compact.join(", ")] })
      end

      def counts(name, keys)
        found = @document[name].to_h
        keys.map { |key| "#{Report::Numbers.whole(found[key])} #{key}" }
      end

      def offered = @document[:offered_per_s]

      def lag
        lag = @document[:send_lag_ms].to_h
        lag[:p50] ? %i[p50 p99].map { |key| "#{key} #{Report::Numbers.figure(lag[key])} ms" } : []
      end

      def errors
        by_class = @document.dig(:errors, :by_class).to_h
        return if by_class.empty?

        rows = by_class.sort_by { |_, count| -count }.map do |name, count|
          [name.to_s.tr("_", " "), whole(count)]
        end
        first = @document.dig(:errors, :first_wrong)
        [listed("Errors", %w[class requests], rows),
         (folded("The first incorrect response", "status #{first[:status]}",
                 *(lines(first[:bytes]) if first[:bytes])) if first)]
      end

      def scenario
        steps = @document.dig(:scenario, :steps).to_a
        return if steps.empty?

        rows = steps.map do |step|
          [step[:action], step[:request],
           *step.values_at(:sent, :good).map { |count| Report::Numbers.whole(count) },
           Report::Numbers.latency(step[:p50_ms], step.dig(:more_than, :p50)),
           Report::Numbers.latency(step[:p99_ms], step.dig(:more_than, :p99)),
           Report::Numbers.whole(step.dig(:errors, :total))]
        end
        listed("Steps of the scenario", SCENARIO, rows, figures: 2..)
      end

      def answers
        all = @document[:answers].to_a
        return if all.empty?

        rows = all.map do |one|
          [one[:request], one[:status], one[:type], Report::Numbers.whole(one[:length]),
           one[:kind], one[:expect]]
        end
        folded("What every response was compared with",
               listed("Expected responses", ANSWERS, rows, figures: 3..3))
      end
    end
  end
end
