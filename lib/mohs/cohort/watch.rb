# frozen_string_literal: true

module Mohs
  module Cohort
    # The processes of each server whose CPU time the driver reads, and how a load is spread over
    # them. A server may replace its workers.
    class Watch
      # How often connections are spread again while a server warms up, at most.
      RESPREADS = 3

      # { Trial => process ids }
      attr_reader :pids

      #: () -> void
      def initialize
        @pids = {}
        @workers = {}
        @spreads = {}
        @respreads = Hash.new(0)
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

      # Did a process get so little of the window that has just ended that connections should be
      # spread again? Of fewer requests in a step, `count`, than connections the first of these get
      # all.
      #: (Trial, Integer) -> bool
      def starves?(trial, count)
        return false if count < trial.target.connections || @respreads[trial] == RESPREADS
        return false unless trial.warm_up.last_share&.<(Spread::LEAST)

        @respreads[trial] += 1
        true
      end

      # At a rate more connections may be opened than there are, to any process. Are there fewer
      # than processes, so that each step of its warm-up has to have new ones?
      #: (Trial) -> bool
      def outnumbered?(trial)
        !trial.rate.nil? && trial.target.connections < spread(trial).processes
      end

      #: (Trial) -> Cohort::Spread
      def spread(trial)
        @spreads[trial] ||= Spread.new(watched: @pids[trial], workers: @workers[trial],
                                       cores: trial.cores)
      end
    end
  end
end
