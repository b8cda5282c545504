# frozen_string_literal: true

module Mohs
  module Cohort
    # Lets the servers of a duet change halves between slices, each with the driver's thread that
    # loads it, where there is one of each variant: its connections stay with that thread.
    class CoreSwap
      #: (Cohort::Layout, Drivers::Base) -> void
      def initialize(layout, driver)
        @layout = layout
        @driver = driver
      end

      # steps: who is loaded together, each on the half of its place in the list. Yields those that
      # can be done in one go.
      #: (Array[Array[Trial]]) { (Array[Array[Trial]]) -> void } -> void
      def parts(steps)
        return yield steps unless @layout.exchange

        steps.each do |trials|
          move(trials)
          yield [trials]
        end
      end

      private

      def move(trials)
        trials.each_with_index do |trial, half|
          next if trial.half == half

          trial.half = half
          Process::CpuSet.pin(trial.pids, @layout.places[half].cpus)
        end
        threads = trials.each_index.sort_by { |half| trials[half].worker }
        @driver.pin(@layout.driver_cpus.values_at(*threads))
      end
    end
  end
end
