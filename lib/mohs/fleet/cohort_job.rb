# frozen_string_literal: true

Mohs::Fleet::Queue.load

module Mohs
  module Fleet
    # A cohort as a job of Que, which the worker of this process measures.
    class CohortJob < ::Que::Job
      # A try that was stopped, or that mohs itself broke, is repeated soon. Attempt decides when
      # there were enough of them, whatever Que has counted. The interval does not grow: it counts
      # for all hosts, and one that leaves its cohorts to others does so again and again. With one
      # that grew to a minute the others found no job that was due (30 cohorts of 20 s: 1007 s
      # instead of 600, simulated; 626 s so).
      self.retry_interval = 2
      self.maximum_retry_count = 1_000_000

      #: (Integer) -> void
      def run(cohort_id)
        Worker.current.measure(cohort_id, queue: que_attrs[:queue])
        destroy
      end
    end
  end
end
