# frozen_string_literal: true

module Mohs
  module Compare
    # What is said of a comparison while it is measured: the result so far, and the time of the next
    # look.
    class ProgressText < Report::Terminal::ProgressText
      UNIT = "cohort"

      # The purpose of the cohort that follows the verdict.
      ALONE = "measuring each alone, to check for contention"

      # The state of a comparison, from its document: "requests/s +32 % [24, 41]". The interval is
      # that of the last look; before the first look only the cohorts' mean is known, and of one
      # cohort nothing is said.
      #: (Hash[Symbol, untyped]) -> String
      def self.look(document)
        verdict = document[:verdict]
        metric = document[:metrics].find { |one| one[:key] == verdict[:metric] }
        unless verdict[:effect]
          one = Headline::ONE_COHORT if document[:cohorts][:done] == 1
          return [metric[:title], *one].join(": ")
        end

        change = Report::Change.new(verdict, better: metric[:better])
        "#{metric[:title]} #{change}"
      end

      # The cohort's line contains them.
      #: () -> bool
      def reasons? = false

      # If its budget ends before the first look: what would reach it. That is known when the first
      # servers are warm; fewer connections have fewer requests in flight at the end of each slice.
      #: (Hash[Symbol, untyped]) -> Array[String]
      def outlook(facts)
        budget_s = @study.rules.budget_s
        return [] unless budget_s && @cohort&.position&.zero?

        slices_s, waiting_s = facts.values_at(:slices_s, :waiting_s)
        looks = @study.rules.question.looks.first
        before_s = @eta.spent_s + slices_s
        needed_s = looks * (before_s + waiting_s)
        return [] if needed_s <= budget_s

        room_s = (budget_s / Forecast::SPARE / looks) - before_s
        connections = fewer(room_s / waiting_s) if waiting_s.positive? && room_s.positive?
        [Report::Render.text("late_look", needed_s:, budget_s:, connections:,
                                          reaching_s: Forecast::SPARE * needed_s)]
      end

      #: (String) -> String?
      def at_start(_line) = ("  decided · #{ALONE}" if alone?)

      #: (Hash[Symbol, untyped]) -> Array[String]
      def at_end(_facts) = @document && !alone? ? ["  #{looks.join(' · ')}"] : []

      # The status line is enough.
      #: (Hash[Symbol, untyped]) -> Array[String]
      def table(_document) = []

      #: (Array[String]) -> Array[String]
      def way(_parts) = looks

      private

      # This share of the connections; nil without any.
      def fewer(share)
        all = @study.variants.map { |one| @study.connections_of(one) }.max
        count = (all * share).floor
        count if count.positive?
      end

      # Whether this is the cohort after the verdict, which measures each variant alone.
      def alone? = @cohort&.own&.fetch(:solo, false)

      def looks
        return ["cohort #{@round}"] unless @document
        return [ProgressText.look(@document), "decided", ALONE] if alone?

        cohorts = @document[:cohorts]
        void = cohorts[:void].find { |one| one[:cohort] == @round - 1 }
        return ["cohort #{@round}", "left out: #{void[:reason]}"] if void

        ["cohort #{@round}", ProgressText.look(@document), *gate, *next_look(cohorts)]
      end

      # Why the comparison continues although the verdict is known.
      def gate
        return if @document.dig(:verdict, :outcome) == "undecided"

        open = @document[:gates].select { |gate| gate[:outcome] == "inconclusive" }
        open.first(1).map do |gate|
          change = Report::Change.new(gate) if gate[:effect]
          so_far = " (so far #{change})" if change
          "decided, but the gate #{gate[:gate]} is open#{so_far}"
        end
      end

      def next_look(cohorts)
        return unless cohorts[:state] == "continue"

        left = cohorts[:next_look].to_i - cohorts[:done]
        return unless left.positive? && cohorts[:done].positive?

        seconds = left * cohorts[:seconds] / cohorts[:done]
        "next look in about #{Report::Numbers.duration(seconds)}"
      end
    end
  end
end
