# frozen_string_literal: true

module Mohs
  module Compare
    # Each boot of a comparison, and B against A in each cohort.
    class CohortsSection < Report::Sections::Boots
      COHORTS = "Each mark is B against A in one cohort of servers that ran at the same time: " \
                "what the interval is computed from."

      private

      def any? = super || differences.size > 1

      def title = booted.any? ? TITLE : "Cohorts"

      def how = booted.any? ? HOW : COHORTS

      def parts
        return [cohorts] if booted.empty?
        return super if differences.size < 2

        [*super, folded("B against A, cohort by cohort", COHORTS, cohorts)]
      end

      # [[cohort, ratio], ...]
      def differences
        metric = @document.dig(:verdict, :metric)
        @document[:observations].to_a.filter_map do |one|
          log = one[:differences].to_h[metric&.to_sym]
          [one[:cohort], Math.exp(log)] if log
        end
      end

      def cohorts
        points = differences.map do |cohort, ratio|
          { name: "cohort #{cohort + 1}", text: Report::Numbers.signed(ratio), value: ratio,
            ends: nil }
        end
        Parts::Intervals.new(key: "cohorts", title: "B against A in each cohort",
                             text: points.map { |one| one[:text] }.join("; "), points:,
                             margin: @document[:margin])
      end
    end
  end
end
