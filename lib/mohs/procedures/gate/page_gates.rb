# frozen_string_literal: true

module Mohs
  module Gate
    # The gates of one page, from the run that compared it. Pure; also for a run that was stopped,
    # and for a page that no run has reached.
    class PageGates
      # From the best to the worst.
      OUTCOMES = %w[holds inconclusive fails].freeze

      # The limits of a page that declares none. CPU time a request is the steadiest metric beside a
      # busy neighbour (method, section 3c); and a page that takes more memory may cost more than
      # one that takes longer.
      LIMITS = ["cpu < +2%", "memory < +5%"].map { |one| Compare::Condition.parse(one) }.freeze

      # One gate: its Compare::Condition, `outcome`, `interval` of the newer revision over the older
      # as the metric counts (Stats::Interval; nil if there is none), the Finding that says why, and
      # the seconds of the page's cohorts that would probably decide it (nil: decided, or unknown).
      Result = Struct.new(:gate, :outcome, :interval, :finding, :needed_s, keyword_init: true)

      # The worst of several outcomes.
      #: (Array[String]) -> String
      def self.worst(outcomes) = outcomes.max_by { |one| OUTCOMES.index(one) }

      # run: nil if the page was not measured. pages: how many share a budget.
      #: (Array[Compare::Condition], Analysis::Run?, ?pages: Integer) -> void
      def initialize(limits, run, pages: 1)
        @gates = limits
        @comparison = run&.result
        @pages = pages
      end

      #: () -> Array[Gate::PageGates::Result]
      def results = @results ||= @gates.map { |gate| result(gate) }

      #: () -> String
      def outcome = PageGates.worst(results.map(&:outcome))

      private

      def result(gate)
        return unreached(gate) unless @comparison

        found = gate.call(@comparison)
        interval = gate.interval(@comparison) unless unusable?
        needed_s = needed_s(gate, interval) if interval && found.outcome == "inconclusive"
        Result.new(gate:, outcome: found.outcome, interval:, finding: reason(found.finding),
                   needed_s:).freeze
      end

      def unreached(gate)
        Result.new(gate:, outcome: "inconclusive", interval: nil,
                   finding: Analysis::Finding.note("gate_not_reached")).freeze
      end

      def unusable? = @comparison.broken || @comparison.verdict.outcome == :invalid

      # The reason why there is no verdict says more than that there is none, and so does what would
      # reach the first look.
      def reason(finding)
        case finding.code
        when "gate_no_verdict" then @comparison.fault || finding
        when "gate_no_interval" then before_first_look || finding
        else finding
        end
      end

      # The budget that would reach the first look, for all pages together.
      def before_first_look
        found = @comparison.forecast
        return found unless found&.values&.key?(:needed_s) && found.values[:needed_s]

        values = { **found.values, needed_s: found.values[:needed_s] * @pages }
        Analysis::Finding.new(**found.to_h, values:)
      end

      # Assumes that the difference is what it seems to be; for a gate to hold, also that of the
      # totals. More cohorts don't reduce what the adjustment may be off by.
      def needed_s(gate, interval)
        beyond = gate.side == "<" ? interval.value >= gate.bound : interval.value <= gate.bound
        alpha = @comparison.rules.question.levels.fetch(beyond ? :fails : :holds)
        test = @comparison.sequential(look: nil, alpha:)
        counts = differences(gate.metric, totals: !beyond).map do |logs|
          distance = gate.distance(Stats::Center.mean(logs))
          cohorts(test, logs, (beyond ? -distance : distance) - bias(gate.metric))
        end
        counts.max * @comparison.cohort_s if counts.all?
      end

      def differences(metric, totals:)
        look = @comparison.looks.last
        logs = metric == @comparison.metric ? look.differences : look.of(metric)
        [logs, *([look.totals(metric)].compact if totals)]
      end

      def bias(metric) = @comparison.looks.last.bias(metric).most

      # The total number of cohorts that would decide the gate at this distance from the limit; nil
      # if none would.
      def cohorts(test, logs, distance)
        return unless distance.positive?

        test.deciding(logs.size, sd: Stats::Spread.sd(logs), delta: distance, known: logs.size)
      end
    end
  end
end
