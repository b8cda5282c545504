# frozen_string_literal: true

module Mohs
  module Checks
    # An open loop whose requests are not sent while they are due is no longer open: it waits for
    # the server, or for itself. What it tells is then the length of a queue that grows as long as
    # the load lasts, not how long an answer takes at that rate.
    class OfferedRate < Base
      # Of what fell due, not sent within the time of its step. The last requests of a step may be
      # under way, or a stall lie there: at a steady rate a queue is over in less than this.
      TOLERANCE = 0.01
      # So few say nothing, however short the step.
      FEWEST = 10

      private

      def judge
        return unknown("a closed loop offers what the server takes") if open_loops.empty?
        return pass("#{offered} fell due and were sent in time") if behind <= allowed

        warn("the rate was not held: of #{offered} requests that fell due #{behind} were not " \
             "sent within the time#{never}; response times are those of a queue that grew")
      end

      def never = (", #{unsent} never" if unsent.positive?)

      def offered = sum(:offered)

      def unsent = sum(:unsent)

      def behind = unsent + sum(:late)

      def allowed = [TOLERANCE * offered, FEWEST].max

      def sum(key) = open_loops.sum { |slice| slice[key] }
    end
  end
end
