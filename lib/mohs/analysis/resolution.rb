# frozen_string_literal: true

module Mohs
  module Analysis
    # How small a difference a host can detect in which time, from the spread of a self-comparison.
    # sd: of the cohorts' log differences; cohort_s: mean of a cohort; level: ok, warn, bad;
    # resolves: [{ difference: 0.05, cohorts:, seconds: }], the largest difference first.
    class Resolution < Struct.new(:cohorts, :sd, :cohort_s, :level, :resolves, keyword_init: true)
      include Value

      DIFFERENCES = [0.05, 0.02, 0.01].freeze
      LIMITS = Host::Limits.new(warn: 0.0075, bad: 0.02)

      # [sd of a cohort's log difference over the true difference, cohorts to a verdict]: means of
      # simulated comparisons by the looks of docs/method.md, sds from 0.3 to 4.5 %, differences
      # from 1 to 5 %. Only the ratio matters: sd 1 and difference 1 take what sd 2 and 2 take.
      # Beyond it the simulation's own end (30 cohorts) would hide what is needed; there it goes on
      # with the rule of Stats::Needed, which meets the table at its last line.
      TABLE = [[0.06, 3.0], [0.1, 3.1], [0.15, 3.35], [0.2, 3.6], [0.25, 3.9], [0.3, 4.2],
               [0.375, 4.7], [0.4, 4.9], [0.5, 5.7], [0.75, 8.2], [0.9, 10.0], [1.0, 12.0]].freeze

      # From the results of some cohorts, each { log_difference: ln of a ratio, seconds: wall time
      # of the whole cohort }. Raises ArgumentError for fewer than two, which have no spread.
      #: (Array[Hash[Symbol, Float]]) -> Analysis::Resolution
      def self.of(results)
        raise ArgumentError, "a spread needs two cohorts or more" if results.size < 2

        sd = Stats::Spread.sd(results.map { |result| result.fetch(:log_difference) })
        seconds = Stats::Center.mean(results.map { |result| result.fetch(:seconds) })
        new(cohorts: results.size, sd:, cohort_s: seconds, level: LIMITS.severity(sd).to_s,
            resolves: resolves(sd, seconds))
      end

      # How many cohorts it takes to see a difference; sd and difference on the same scale (0.01:
      # one percent).
      #: (sd: Float, difference: Float) -> Float
      def self.cohorts(sd:, difference:)
        ratio = sd / difference
        return TABLE.first.last if ratio <= TABLE.first.first

        pair = TABLE.each_cons(2).find { |_, (upper, _)| ratio <= upper }
        pair ? between(*pair, ratio) : (Stats::Needed::DECIDES * ratio)**2
      end

      def self.resolves(sd, seconds)
        DIFFERENCES.map do |difference|
          cohorts = cohorts(sd:, difference:)
          { difference:, cohorts: cohorts.round(1), seconds: (cohorts * seconds).round(1) }
        end
      end

      def self.between((from, low), (upto, high), ratio)
        low + ((high - low) * (ratio - from) / (upto - from))
      end
      private_class_method :resolves, :between
    end
  end
end
