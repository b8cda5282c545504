# frozen_string_literal: true

module Mohs
  module Checks
    # In an open loop a request leaves when it is due, if a connection is free. A driver that wakes
    # up late adds its own lateness to every response time.
    class SendLag < Base
      # p99, in ns. A quiet machine stays below 0.2 ms; where it shares cores with the server, or
      # others, the scheduler's turns of 1 to 4 ms show (kernel/sched/fair.c, base slice).
      BOUND = 1_000_000

      private

      def judge
        return unknown("a closed loop has no due times") if open_loops.empty?
        return unknown("no request found a connection free") if lags.empty?

        worst = lags.max
        return pass("p99 #{ms(worst)} after they were due") if worst <= BOUND

        warn("the driver sent late: p99 #{ms(worst)} after requests were due, though a " \
             "connection was free; response times contain that. Give it a core of its own, or a " \
             "lower rate")
      end

      def lags = open_loops.filter_map { |slice| slice[:lag_ns][:p99] }

      def ms(ns) = "#{format('%.2g', ns / 1e6)} ms"
    end
  end
end
