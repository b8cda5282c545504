# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # In an open loop a request leaves when it is due, if a connection is free. A driver that
      # wakes up late adds its own lateness to every response time.
      class SendLag < Base
        # p99, in ns. A quiet machine stays below 0.2 ms; if it shares cores with the server, or
        # others, the scheduler's turns of 1 to 4 ms show (kernel/sched/fair.c, base slice).
        BOUND = 1_000_000

        # Share of the limit searched for by which the driver may send late: it is part of every
        # response time. The median lag is used for a median or mean, else its p99.
        OF_LIMIT = 0.2

        SIZE = :p99_ns

        WORDS = {
          closed_loop: "a closed loop has no due times",
          never_free: "no request found a connection free",
          prompt: "p99 %{p99_ns|ms} after they were due",
          late: "the driver sent late: p99 %{p99_ns|ms} after requests were due, though a " \
                "connection was free; response times contain that. Give it its own core, or a " \
                "lower rate",
          late_for_limit: "the driver sent late: %{quantile} %{lag_ns|ms} after requests were due",
        }.freeze

        # What the lag of one probe of a rate ({ p50:, p99: } in ns) says against it; nil if it is
        # far from the limit (Load::Limit).
        #: (Hash[Symbol, Integer?], Load::Limit) -> Analysis::Finding?
        def of_probe(lag_ns, limit)
          quantile = (limit.share || 0) > 0.5 ? :p99 : :p50
          late_ns = lag_ns[quantile]
          return unless late_ns && late_ns > OF_LIMIT * limit.ns

          bad(:late_for_limit, quantile: quantile.to_s, lag_ns: late_ns)
        end

        private

        def judge
          return unknown(:closed_loop) if open_loops.empty?

          p99_ns = open_loops.filter_map { |slice| slice[:lag_ns][:p99] }.max
          return unknown(:never_free) unless p99_ns

          p99_ns <= BOUND ? pass(:prompt, p99_ns:) : warn(:late, p99_ns:)
        end
      end
    end
  end
end
