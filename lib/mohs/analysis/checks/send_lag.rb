# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # In an open loop a request leaves when it is due, if a connection is free. A driver that
      # wakes up late adds its own delay to every response time.
      class SendLag < Base
        # p99, in ns. On a quiet machine it stays below 0.2 ms; if the driver shares cores with the
        # server, or with others, the scheduler's turns of 1 to 4 ms show (kernel/sched/fair.c, base
        # slice).
        BOUND = 1_000_000

        # By what share of the limit the driver may send late in a search: the lag is part of every
        # response time. For a limit on a median or mean, the median lag counts; otherwise its p99.
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

        # A finding if the lag of a search's probe ({ p50:, p99: } in ns) is too large for the limit
        # (Load::Limit); else nil.
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
