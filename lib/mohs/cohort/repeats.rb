# frozen_string_literal: true

module Mohs
  module Cohort
    # Steps that open connections of their own (Load::Step#hang_up), where connections wait for a
    # thread. Now and then one process of a server accepts all of them: of puma:2x1 with 32
    # connections in one slice of forty, which had half of the rate. Such a step is set aside as
    # warm-up and repeated.
    class Repeats
      # Most times that a step is run. After the last, nothing of its trials is repeated any more:
      # they are measured as they are.
      MOST = 4

      # trials: in the order of the driver's targets. spreads: gives the Cohort::Spread of one, nil
      # if chance decides which process has its next request: nothing of it is repeated.
      #: (Drivers::Base, Array[Trial], spreads: ^(Trial) -> Cohort::Spread?) -> void
      def initialize(driver, trials, spreads:)
        @driver = driver
        @trials = trials
        @spreads = spreads
        @given_up = []
      end

      # Runs steps by the block; returns their results in order, of repeated ones the last.
      #: (Array[Load::Step]) { (Array[Load::Step]) -> Array[Load::StepResult] } -> Array[Load::StepResult]
      def call(steps)
        results = {}.compare_by_identity
        again = steps
        MOST.times do |count|
          found = yield(again)
          again.each { |step| results[step] = found.shift(step.targets.size) }
          again = again.select { |step| repeat?(step, results[step]) }
          break if again.empty?
          break give_up(again) if count == MOST - 1

          again.each { |step| results[step].each { |one| set_aside(one) } }
        end
        results.values.flatten
      end

      private

      def repeat?(step, results)
        step.hang_up && @driver.sets_aside? && results.any? do |result|
          trial = @trials[result.target]
          !@given_up.include?(trial) && @spreads.call(trial)&.idle?(result)
        end
      end

      def give_up(steps)
        @given_up |= steps.flat_map { |step| @trials.values_at(*step.targets) }
      end

      def set_aside(result)
        trial = @trials[result.target]
        @driver.set_aside(result)
        trial.loaded(nil, nil, result)
        trial.unevenly_loaded(repeated: true)
      end
    end
  end
end
