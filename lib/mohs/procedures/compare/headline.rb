# frozen_string_literal: true

module Mohs
  module Compare
    # The answer of a comparison.
    class Headline < Report::Headline
      # Verbs for a difference in the deciding metric: more than A, less than A, and so many times
      # as much as A.
      PHRASES = {
        "throughput" => ["serves %s more requests a second than",
                         "serves %s fewer requests a second than",
                         "serves %s as many requests a second as"],
        "cpu" => ["takes %s more CPU time a request than",
                  "takes %s less CPU time a request than",
                  "takes %s as much CPU time a request as"],
        "p50" => ["takes %s longer in the median than", "takes %s less time in the median than",
                  "takes %s as long in the median as"],
        "echo" => ["takes %s longer to send a message back than",
                   "takes %s less time to send a message back than",
                   "takes %s as long to send a message back as"],
        "opening" => ["takes %s longer to open a WebSocket than",
                      "takes %s less time to open a WebSocket than",
                      "takes %s as long to open a WebSocket as"],
        "first-event" => ["takes %s longer to the first event than",
                          "takes %s less time to the first event than",
                          "takes %s as long to the first event as"],
        "fan-out" => ["takes %s longer to bring a message to 99 %% of its connections than",
                      "takes %s less time to bring a message to 99 %% of its connections than",
                      "takes %s as long to bring a message to 99 %% of its connections as"],
        "half" => ["takes %s longer to bring a message to half of its connections than",
                   "takes %s less time to bring a message to half of its connections than",
                   "takes %s as long to bring a message to half of its connections as"],
        "all" => ["takes %s longer to bring a message to all of its connections than",
                  "takes %s less time to bring a message to all of its connections than",
                  "takes %s as long to bring a message to all of its connections as"],
        "held" => ["holds %s more connections than", "holds %s fewer connections than",
                   "holds %s as many connections as"],
        "per-connection" => ["needs %s more memory for a connection than",
                             "needs %s less memory for a connection than",
                             "needs %s as much memory for a connection as"],
        "p99" => ["takes %s longer at the 99th percentile than",
                  "takes %s less time at the 99th percentile than",
                  "takes %s as long at the 99th percentile as"],
        "memory" => ["needs %s more memory than", "needs %s less memory than",
                     "needs %s as much memory as"],
        "boot" => ["takes %s longer to boot than", "takes %s less time to boot than",
                   "takes %s as long to boot as"],
      }.freeze

      # Those of this metric.
      #: (String) -> [String, String, String]
      def self.phrases(name)
        PHRASES.fetch(name) do
          title = Analysis::Metric.fetch(name).title
          ["has %s more #{title} than", "has %s less #{title} than", "has %s as much #{title} as"]
        end
      end

      # The finding that the budget ended before anything could be decided.
      UNLOOKED = "before_first_look"

      # Findings about what would decide the comparison, which the sentence states.
      FORECASTS = ["forecast", "equal_but_total", UNLOOKED].freeze

      # What is said in place of an effect.
      ONE_COHORT = "one cohort, no interval yet"

      # States of a run that is not finished, or was stopped early.
      OPEN = { "running" => "Not decided yet",
               "interrupted" => "Stopped before it was decided" }.freeze

      # The findings of a verdict that its sentence does not state: not why it is none, which comes
      # first, nor, where the sentence has a forecast, what would decide the comparison.
      #: (Hash[Symbol, untyped], ?forecast: bool) -> Array[Hash[Symbol, untyped]]
      def self.unstated(verdict, forecast: true)
        findings = verdict[:findings].drop(verdict[:outcome] == "invalid" ? 1 : 0)
        forecast ? findings.reject { |one| FORECASTS.include?(one[:code]) } : findings
      end

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        super
        @verdict = document[:verdict]
        @metric = document[:metrics].find { |metric| metric[:key] == @verdict[:metric] }
        @change = Report::Change.new(@verdict, better: @metric[:better]) if @verdict[:effect]
      end

      #: () -> String
      def to_s
        case @verdict[:outcome]
        when "faster", "slower" then differs
        when "equivalent" then equivalent
        when "invalid" then say("compare_invalid", reason: @verdict[:reasons].first)
        else undecided
        end
      end

      # Variants whose reason the sentence gives: none, as a comparison names the basis of its
      # verdict.
      #: () -> Array[String]
      def covered = []

      private

      def differs
        worth = @document[:jit_worth]
        return with_jit(worth, Report::Change.new(worth, better: @metric[:better])) if worth

        say("compare_differs", provisional:, **names, phrase: phrase(@change),
                               bracket: @change.bracket, errors_clause:)
      end

      # A runs the JIT that the application turns on, and B differs in nothing else.
      def with_jit(worth, change)
        say("compare_with_jit", provisional:, ruby: worth[:ruby], jit: worth[:jit].upcase,
                                phrase: phrase(change), bracket: change.bracket, errors_clause:)
      end

      def phrase(change)
        more, less, times = Headline.phrases(@metric[:name])
        chosen = change.times? ? times : { true => more, false => less }[change.more?]
        format(chosen, change.amount)
      end

      def equivalent
        interval = Report::Change.equal(@verdict, better: @metric[:better]).interval
        say("compare_equivalent", provisional:, margin: @verdict[:margin], **change,
                                  errors_clause:, interval:)
      end

      def errors_clause = errors(@document[:rows])

      def change = { metric: @metric[:title], change: @change.signed }

      def undecided
        return open if OPEN.key?(@document[:state])
        return unlooked if @verdict[:findings].any? { |one| one[:code] == UNLOOKED }

        reached(@document[:cohorts][:state]) || unreached
      end

      # What was reached in place of a decision, by the state of the cohorts; nil if nothing was.
      def reached(state) = (say("compare_precise", between:, seconds:) if state == "precise")

      def unreached
        forecast = @document[:forecast]
        code = @document[:quick] ? "compare_quick" : "compare_undecided"
        say(code, between:, seconds:, budget_clause:, errors_clause:,
                  forecast_clause: forecast ? sentence(forecast) : "")
      end

      def budget_clause
        @document[:cohorts][:state] == "budget" ? say("compare_budget_over") : ""
      end

      # All that can be said about the difference is its size so far, from two cohorts on.
      def unlooked
        so_far = "#{@metric[:title]} #{@change.signed} so far; " if @change
        so_far ||= "#{ONE_COHORT}; " if @document[:cohorts][:done] == 1
        say("compare_unlooked", so_far:, why: @document[:forecast], errors_clause:)
      end

      # The state of a run that is still under way or was interrupted.
      def open
        done = @document[:cohorts][:done]
        stopped = OPEN.fetch(@document[:state])
        return say("compare_open_nothing", stopped:) if done.zero?

        cohorts = Report::Numbers.counted(done, "cohort")
        return say("compare_open", stopped:, cohorts:, between:) if @verdict[:interval]

        early(stopped, cohorts)
      end

      # Before the first look.
      def early(stopped, cohorts)
        say("compare_open_early", stopped:, cohorts:, needed: @document[:cohorts][:next_look])
      end

      def between
        return "" unless @verdict[:interval]

        change = Report::Change.new(@verdict)
        low, high = change.ends(*words)
        say(change.vast? ? "compare_vast" : "compare_between", low:, high:, **names)
      end

      def words
        return %w[faster slower] if @metric[:name] == "throughput"

        %w[better worse].map { |word| "#{word} in #{@metric[:title]}" }
      end

      def provisional = @document[:quick] ? "Provisional: " : ""

      def names = { a: @document[:a].inspect, b: @document[:b].inspect }

      def seconds = Report::Numbers.duration(@document[:cohorts][:seconds])
    end
  end
end
