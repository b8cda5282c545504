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
