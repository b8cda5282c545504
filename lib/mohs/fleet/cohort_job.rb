# frozen_string_literal: true

Mohs::Fleet::Queue.load

module Mohs
  module Fleet
    # A cohort as a job of Que, which the worker of this process measures.
    class CohortJob < ::Que::Job
      # A try that was stopped, or that mohs itself broke, is repeated soon, and later and later if
      # that does not help. Attempt decides when there were enough of them, whatever Que has
      # counted.
      self.retry_interval = ->(count) { [count, 60].min }
      self.maximum_retry_count = 1_000_000

      #: (Integer) -> void
      def run(cohort_id)
        Worker.current.measure(cohort_id, queue: que_attrs[:queue])
        destroy
      end
    end
  end
end
