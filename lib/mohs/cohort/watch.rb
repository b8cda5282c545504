# frozen_string_literal: true

module Mohs
  module Cohort
    # The processes of each server whose CPU time the driver reads, and how a load is spread over
    # them. A server may replace its workers.
    class Watch
      # { Trial => process ids }
      attr_reader :pids

      #: () -> void
      def initialize
        @pids = {}
        @workers = {}
        @spreads = {}
      end

      # Has the driver read those that the server has now; index: its target. Is one of its workers
      # new since the last time?
      #: (Trial, driver: Drivers::Base, index: Integer) -> bool
      def renew(trial, driver:, index:)
        @spreads.delete(trial)
        driver.watch(index, @pids[trial] = trial.lasting)
        before, @workers[trial] = @workers[trial], trial.workers
        !before.nil? && (@workers[trial] - before).any?
      end

      #: (Trial) -> Cohort::Spread
      def spread(trial)
        @spreads[trial] ||= Spread.new(watched: @pids[trial], workers: trial.workers,
                                       cores: trial.cores)
      end
    end
  end
end
