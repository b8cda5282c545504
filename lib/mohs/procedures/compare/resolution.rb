# frozen_string_literal: true

module Mohs
  module Compare
    # How small a difference a host can detect, and in what time, from the spread of a
    # self-comparison. sd: that of the cohorts' log differences; cohort_s: mean seconds of a cohort;
    # level: ok, warn, bad; resolves: [{ difference: 0.05, cohorts:, seconds: }], the largest
    # difference first; `cohorts` and `seconds` are nil if no look of a comparison is surely enough.
    class Resolution < Struct.new(:cohorts, :sd, :cohort_s, :level, :resolves, keyword_init: true)
      include Value

      DIFFERENCES = [0.05, 0.02, 0.01].freeze
      SEQUENTIAL = Stats::Sequential.new(alpha: Analysis::Verdict::ALPHA)
      LIMITS = Analysis::Host::Limits.new(warn: 0.0075, bad: 0.02)

      # From the results of cohorts, each { log_difference: ln of a ratio, seconds: wall time of the
      # whole cohort }. Raises ArgumentError for fewer than two, which have no spread.
      #: (Array[Hash[Symbol, Float]]) -> Compare::Resolution
      def self.of(results)
        raise ArgumentError, "a spread needs two cohorts or more" if results.size < 2

        sd = Stats::Spread.sd(results.map { |result| result.fetch(:log_difference) })
        cohort_s = Stats::Center.mean(results.map { |result| result.fetch(:seconds) })
        resolves = DIFFERENCES.map { |one| resolved(one, sd:, cohort_s:, known: results.size) }
        new(cohorts: results.size, sd:, cohort_s:, level: LIMITS.severity(sd).to_s, resolves:)
      end

      # By the rule of a comparison's forecast: the first look that will probably find the
      # difference, allowing for how little so few cohorts show of a spread. (Three that spread by
      # 0.9 times the difference need the last look; beyond that, a forecast begins to say "at
      # least".)
      def self.resolved(difference, sd:, cohort_s:, known:)
        delta = Stats::Margin.log(difference)
        cohorts = SEQUENTIAL.deciding(0, sd:, delta:, known:)
        { difference:, cohorts:, seconds: cohorts && (cohorts * cohort_s).round(1) }
      end
      private_class_method :resolved
    end
  end
end
