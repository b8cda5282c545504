# frozen_string_literal: true

module Mohs
  module Cohort
    # Lets the servers of a duet change halves between slices, each with the driver's thread that
    # loads it, where there is one of each variant: its connections stay with that thread.
    class Exchange
      #: (Cohort::Layout, Drivers::Base) -> void
      def initialize(layout, driver)
        @layout = layout
        @driver = driver
      end

      # steps: who is loaded together, each on the half of its place in the list. Yields those that
      # can be done in one go.
      #: (Array[Array[Trial::Life]]) { (Array[Array[Trial::Life]]) -> void } -> void
      def parts(steps)
        return yield steps unless @layout.exchange

        steps.each do |lives|
          move(lives)
          yield [lives]
        end
      end

      private

      def move(lives)
        lives.each_with_index do |life, half|
          next if life.half == half

          life.half = half
          Process::CpuSet.pin(life.pids, @layout.places[half].cpus)
        end
        threads = lives.each_index.sort_by { |half| lives[half].worker }
        @driver.pin(@layout.driver_cpus.values_at(*threads))
      end
    end
  end
end
