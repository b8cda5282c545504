# frozen_string_literal: true

module Mohs
  # Compares an application with itself: from how much that varies follows how long a difference
  # will take to be seen on this host (Analysis::Resolution).
  class SelfTest
    COHORTS = 3 # as many as the first look of a comparison has

    # Names of the two.
    TWINS = ["the app", "itself"].freeze

    # app: the application's folder; on_event: as for Laboratory#measure.
    #: (Laboratory, app: String, ?on_event: Proc) -> void
    def initialize(laboratory, app:, on_event: ->(*) {})
      @laboratory = laboratory
      @app = app
      @on_event = on_event
    end

    # EnvironmentError, with the reason, where the application can't be measured.
    #: () -> Analysis::Resolution
    def call
      study = @laboratory.prepare(declaration)
      document = @laboratory.measure(study, @laboratory.plan(study), on_event: @on_event)
      results = document[:observations].filter_map { |observation| result(observation) }
      return Analysis::Resolution.of(results) if results.size == COHORTS

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
