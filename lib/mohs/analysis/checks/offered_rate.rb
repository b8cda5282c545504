# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # An open loop whose requests are not sent when they are due is no longer open: it waits for
      # the server, or for itself. It then measures the length of a queue that grows as long as the
      # load lasts, not how long a response takes at that rate.
      class OfferedRate < Base
        # Share of the requests due that may not have been sent within the time of their step. The
        # last requests of a step may be under way, or a stall may be there: at a steady rate, a
        # queue clears in less than this.
        TOLERANCE = 0.01
        # This few say nothing, however short the step.
        FEWEST = 10

        LATE = "the rate was not held: of %{offered|count} requests that fell due " \
               "%{behind|count} were not sent in time"
        QUEUE = "; response times are those of a queue that grew"

        WORDS = {
          closed_loop: "a closed loop has no rate to hold",
          held: "%{offered|count} fell due and were sent in time",
          late: LATE + QUEUE,
          never: "#{LATE}, %{unsent|count} never#{QUEUE}",
        }.freeze

        private

        def judge
          return unknown(:closed_loop) if open_loops.empty?

          offered, unsent, late = %i[offered unsent late].map { |key| sum(key) }
          behind = unsent + late
          return pass(:held, offered:) if behind <= [TOLERANCE * offered, FEWEST].max

          warn(unsent.positive? ? :never : :late, offered:, behind:, unsent:)
        end

        def sum(key) = open_loops.sum { |slice| slice[key] }
      end
    end
  end
end
