# frozen_string_literal: true

module Mohs
  module Checks
    # Answers that wait in the driver until it has read those before them: so long their connections
    # rest, and the server has less to do than was asked. A clock that is read for each event shows
    # it: how long after the first of a wake-up each is read. (Where the server has the same core,
    # each request that is sent may give it the core before the next is read.)
    class EventAge < Base
      # Of what a request takes: below it the load is nearly the one asked for.
      TOLERANCE = 0.1

      private

      def judge
        return unknown("nothing was measured") if measured.empty? || total(:good).zero?
        return unknown("the driver shares its core with the server") if @facts[:apart] == false
        return unknown("not recorded: events") unless events&.positive?

        share = mean_ns / total(:latency_sum_ns).fdiv(total(:good))
        return pass("#{figures}, #{percent(share)} of what a request takes") if share <= TOLERANCE

        warn("answers waited in the driver for #{percent(share)} of what a request takes " \
             "(#{figures}): it reads one after the other. Take fewer connections, or threads")
      end

      def events = (of_pulses(:events) if pulses.any?)

      def mean_ns = of_pulses(:age_sum_ns).fdiv(events)

      def figures
        each = events.fdiv(of_pulses(:wakeups))
        most = pulses.map { |pulse| pulse[:age_max_ns] }.max
        format("%<each>.2g events a wake-up, read %<mean>.2g us after the first, " \
               "at most %<most>.2g ms", each:, mean: mean_ns / 1e3, most: most / 1e6)
      end
    end
  end
end
