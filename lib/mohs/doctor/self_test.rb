# frozen_string_literal: true

module Mohs
  module Doctor
    # Compares an application with itself, and tells from how much that varies how long a difference
    # will take to be seen on this host.
    class SelfTest
      COHORTS = 3 # as many as the first look of a comparison has
      DIFFERENCES = [0.05, 0.02, 0.01].freeze
      LIMITS = { warn: 0.0075, bad: 0.02 }.freeze

      # sd: of the cohorts' log differences; seconds: mean of a cohort; level: ok, warn, bad;
      # resolves: [{ difference: 0.05, cohorts:, seconds: }], the largest difference first.
      Outcome = Struct.new(:cohorts, :sd, :cohort_s, :level, :resolves, keyword_init: true) do
        include Value
      end

      # Names of the two.
      TWINS = ["the app", "itself"].freeze

      # What some cohorts say, each { log_difference: ln of a ratio, seconds: wall time of the whole
      # cohort }. Raises ArgumentError for fewer than two, which don't vary.
      #: (Array[Hash[Symbol, Float]]) -> Doctor::SelfTest::Outcome
      def self.outcome(results)
        raise ArgumentError, "a spread needs two cohorts or more" if results.size < 2

        sd = Stats::Spread.sd(results.map { |result| result.fetch(:log_difference) })
        seconds = Stats::Center.mean(results.map { |result| result.fetch(:seconds) })
        Outcome.new(cohorts: results.size, sd:, cohort_s: seconds, level: level(sd),
                    resolves: resolves(sd, seconds))
      end

      def self.level(sd)
        return "bad" if sd > LIMITS[:bad]

        sd > LIMITS[:warn] ? "warn" : "ok"
      end

      def self.resolves(sd, seconds)
        DIFFERENCES.map do |difference|
          cohorts = Prediction.cohorts(sd:, difference:)
          { difference:, cohorts: cohorts.round(1), seconds: (cohorts * seconds).round(1) }
        end
      end
      private_class_method :level, :resolves

      # app: the application's folder; on_event: as for Laboratory#measure.
      #: (Laboratory, app: String, ?on_event: Proc) -> void
      def initialize(laboratory, app:, on_event: ->(*) {})
        @laboratory = laboratory
        @app = app
        @on_event = on_event
      end

      # EnvironmentError, with the reason, where the application can't be measured.
      #: () -> Doctor::SelfTest::Outcome
      def call
        study = @laboratory.prepare(declaration)
        document = @laboratory.measure(study, @laboratory.plan(study), on_event: @on_event)
        results = document[:observations].filter_map { |observation| result(observation) }
        return self.class.outcome(results) if results.size == COHORTS

        raise EnvironmentError, document[:sentence]
      end

      private

      def declaration
        variants = TWINS.map { |label| [nil, Study::Notation.new(label:)] }
        { app: @app, variants:, comparison: { most: COHORTS } }
      end

      def result(observation)
        log_difference = observation.dig(:differences, :throughput_per_s)
        log_difference && { log_difference:, seconds: observation[:seconds] }
      end
    end
  end
end
