# frozen_string_literal: true

module Mohs
  module Tune
    # The search of a tuning: finds the highest rate at which a limit holds on one server of a
    # cohort at a time, while the others are idle; then loads it beyond that rate, to see whether it
    # degrades or collapses.
    class Search
      BEYOND_S = Result::BEYOND_S
      # A search ends at the highest rate that it may try if its interval ends above this share of
      # it: the belief has cells.
      AT_MOST = 0.97
      # A server may sustain this many times what it served with all threads busy: those loads are
      # short, and the machine is noisy.
      MOST = 1.1
      private_constant :BEYOND_S, :AT_MOST, :MOST

      # limit: of response times. seconds: per search. driver: makes one from its options.
      #: (limit: Load::Limit, seconds: Numeric, seed: Integer, cpus: Array[Integer], ?driver: ^(**untyped) -> Drivers::Base, ?clock: untyped) -> void
      def initialize(limit:, seconds:, seed:, cpus:, driver: Drivers.fetch("native").method(:new),
                     clock: Clock)
        @clock = clock
        @limit = limit
        @seconds = seconds
        @seed = seed
        @driver = ->(**options) { driver.call(cpus:, **options) }
      end

      # Searches on a trial, which takes what was found. Raises TrialError if it ended, or no longer
      # responds.
      #: (untyped) -> void
      def call(trial)
        found = search(trial.target, slots: trial.slots, busy_per_s: busy_per_s(trial))
        trial.take(found, error: (stopped if found[:outcome] == "gone"))
      end

      # What is stored of the search: `outcome` of Analysis::Rate, or "gone", a bound also if the
      # server served more than the search may try; `rate_per_s` between `low` and `high`;
      # `capacity_per_s`, with all threads busy; `searched_s`, the seconds searched, and `needed_s`
      # (Analysis::RateSearch); `figure_ms` (the limited figure at the highest rate at which the
      # limit held); `beyond_share`, the share of its rate that it serves when loaded beyond it. nil
      # where unknown. target: with the connections that keep all threads busy, which closed loops
      # and the load beyond its rate have. slots: requests that the server works on at the same
      # time, and the connections of all other loads; nil: as the target has. busy_per_s: what the
      # server served with all threads busy; nil: unknown.
      #: (Load::Target, ?slots: Integer?, ?busy_per_s: Numeric?) -> Hash[Symbol, untyped]
      def search(target, slots: nil, busy_per_s: nil)
        finder = LoadRun::RateFinder.new(target: slots ? limited(target, slots) : target,
                                         limit: @limit, budget_s: @seconds - BEYOND_S, busy_per_s:,
                                         busy_connections: target.connections,
                                         most: (MOST if busy_per_s), driver: @driver,
                                         seed: @seed, clock: @clock)
        result = finder.call
        rate = result.interval
        beyond = beyond(target, rate.value) if rate && result.outcome == "found"
        gone = !beyond.nil? && finder.silent_after?(beyond)
        share = share(beyond, rate.value) if beyond && !gone
        outcome = Analysis::Rate::BOUND if busy_per_s && share && bounded?(result, beyond)
        { **(gone ? GONE : found(result)), **{ outcome: }.compact,
          capacity_per_s: result.capacity_per_s, searched_s: @seconds - BEYOND_S,
          needed_s: result.needed_s, beyond_share: share }
      end

      private

      # A server that hangs beyond its rate has no rate that can be relied on.
      GONE = { outcome: "gone", rate_per_s: nil, low: nil, high: nil, figure_ms: nil }.freeze
      private_constant :GONE

      def stopped = TrialError.new(Reason.new(code: "stopped_in_search"))

      # Requests a second that it has served with all threads busy; nil if these are not known to be
      # all busy, or if nothing was measured.
      def busy_per_s(trial)
        return unless trial.slots

        results = Store::Slice.measured(trial.samples).map(&:result)
        Load.rate_per_s(results) if results.any?
      end

      def limited(target, slots)
        connections = slots.clamp(1, Rules::MOST_CONNECTIONS)
        Load::Target.new(**target.to_h, connections:, max_connections: connections)
      end

      def found(result)
        rate = result.interval
        { outcome: result.outcome, rate_per_s: rate&.value, low: rate&.low, high: rate&.high,
          figure_ms: figure_ms(result) }
      end

      def figure_ms(result)
        below = result.probes.select { |probe| probe.outcome == "below" }
        nearest = below.max_by(&:rate_per_s)
        nearest&.figure_ns && (nearest.figure_ns / 1e6)
      end

      def beyond(target, rate_per_s)
        arrivals = Load::Arrivals.new(kind: :poisson, seed: @seed,
                                      rate_per_s: Result::BEYOND * rate_per_s)
        driver = @driver.call(targets: [target], seed: @seed, drain_s: BEYOND_S)
        step = Load::Step.new(duration_ns: BEYOND_S * 1_000_000_000, arrivals:)
        driver.run([step]).first
      ensure
        driver&.close
      end

      # Did the search end at the highest rate that it may try, although the server then served more
      # than that? Then its capacity was taken for too low, and the rate is only a bound. A count of
      # n requests may be off by two times its square root.
      def bounded?(result, beyond)
        most = MOST * result.capacity_per_s
        served = Load.rate_per_s([beyond]) * (1 - (2 / Math.sqrt([beyond.good, 1].max)))
        result.interval.high > AT_MOST * most && served > most
      end

      def share(beyond, rate_per_s)
        [Load.rate_per_s([beyond]) / rate_per_s, Result::BEYOND].min
      end
    end
  end
end
