# frozen_string_literal: true

module Mohs
  module Fleet
    # Measures cohorts of one run on this host as another mohs names them. What was made ready for
    # one of them serves the next: bundles, filled databases, the rate of a null server.
    class CohortRunner
      # One for the block.
      #: [T] (store: Store, host: String, setups: Trial::Setups) { (Fleet::CohortRunner) -> T } -> T
      def self.with(**options) = Trial::ServiceData.with { |data| yield new(**options, data:) }

      #: (store: Store, host: String, setups: Trial::Setups, data: Trial::ServiceData, ?runner: Class) -> void
      def initialize(store:, host:, setups:, data:, runner: Runner)
        @store = store
        @host = host
        @setups = setups
        @data = data
        @new_runner = runner
      end

      # What became of it, as Attempt#call says. Raises UsageError if it is of another run than the
      # first.
      #: (Integer) -> String
      def try(cohort_id)
        Attempt.new(store: @store, cohort_id:, host: @host, measure: method(:measure)).call
      end

      private

      def measure(cohort) = runner(cohort.run_id).only(cohort.id, @data)

      def runner(run_id)
        @run_id ||= run_id
        raise UsageError, "a process measures cohorts of one run; #{run_id} is another than " \
                          "#{@run_id}." unless @run_id == run_id

        @runner ||= @new_runner.new(store: @store, run_id:, setups: @setups, host: @host)
      end
    end
  end
end
