# frozen_string_literal: true

module Mohs
  module Compare
    # Compares an application with itself: the spread shows how long it takes on this host to detect
    # a difference (Resolution).
    class SelfTest
      # As many as at the first look of a comparison.
      COHORTS = Question.new.first_look

      # Names of the two variants.
      TWINS = ["the app", "itself"].freeze

      # app: the application's folder. on_event: as for Experiment#measure.
      #: (Experiment, app: String, ?on_event: Proc) -> void
      def initialize(experiment, app:, on_event: ->(*) {})
        @experiment = experiment
        @app = app
        @on_event = on_event
      end

      # Raises EnvironmentError if the application can't be measured; the block returns the message
      # for the run's analysis.
      #: () ?{ (Analysis::Run) -> String } -> Compare::Resolution
      def call
        study = @experiment.prepare(declaration)
        run = @experiment.measure(study, @experiment.plan(study), on_event: @on_event)
        results = run.result.pairs.filter_map { |pair| result(pair) }
        return Resolution.of(results) if results.size == COHORTS

        raise EnvironmentError, yield(run)
      end

      private

      def declaration
        variants = TWINS.map { |label| [nil, Study::Notation.new(label:)] }
        { app: @app, variants:, Rules::STORED => { most: COHORTS } }
      end

      def result(pair)
        log_difference = pair.difference(Analysis::Metric.fetch("throughput"))
        log_difference && { log_difference:, seconds: pair.seconds }
      end
    end
  end
end
