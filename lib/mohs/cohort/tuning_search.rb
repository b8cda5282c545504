# frozen_string_literal: true

module Mohs
  module Cohort
    # The search of a tuning: finds the highest rate at which a limit holds on one server of a
    # cohort at a time, while the others rest; then loads it beyond that rate, to see whether it
    # degrades or collapses.
    class TuningSearch
      # Seconds of the load beyond the rate.
      BEYOND_S = 2

      # limit: of response times. seconds: of each search. driver: makes one from its options.
      #: (limit: Load::Limit, seconds: Numeric, seed: Integer, cpus: Array[Integer], ?driver: untyped, ?clock: untyped) -> void
      def initialize(limit:, seconds:, seed:, cpus:, driver: Drivers.fetch("native"), clock: Clock)
        @clock = clock
        @limit = limit
        @seconds = seconds
        @seed = seed
        @driver = ->(**options) { driver.new(cpus:, **options) }
      end

      # What is stored of it: `outcome` of Analysis::Rate::Result, the `rate_per_s` between `low`
      # and `high`, `capacity_per_s` of a closed loop, how long it `searched_s` and `needed_s`
      # (Analysis::RateSearch), `figure_ms` (the limited figure at the nearest rate below),
      # `beyond_share` of its rate that it serves beyond it; nil where unknown.
      #: (Load::Target) -> Hash[Symbol, untyped]
      def call(target)
        result = LoadRun::RateFinder.new(target:, limit: @limit, budget_s: @seconds - BEYOND_S,
                                         driver: @driver, seed: @seed, clock: @clock).call
        rate = result.interval
        { outcome: result.outcome, capacity_per_s: result.capacity_per_s, rate_per_s: rate&.value,
          searched_s: @seconds - BEYOND_S, needed_s: result.needed_s,
          low: rate&.low, high: rate&.high, figure_ms: figure_ms(result),
          beyond_share: (beyond(target, rate.value) if rate && result.outcome == "found") }
      end

      private

      def figure_ms(result)
        below = result.probes.select { |probe| probe.outcome == "below" }
        nearest = below.max_by(&:rate_per_s)
        nearest&.figure_ns && (nearest.figure_ns / 1e6)
      end

      def beyond(target, rate_per_s)
        arrivals = Load::Arrivals.new(kind: :poisson, seed: @seed,
                                      rate_per_s: Analysis::Tuning::BEYOND * rate_per_s)
        driver = @driver.call(targets: [target], seed: @seed, drain_s: BEYOND_S)
        step = Load::Step.new(duration_ns: BEYOND_S * 1_000_000_000, arrivals:)
        result = driver.run([step]).first
        [Load.rate_per_s([result]) / rate_per_s, Analysis::Tuning::BEYOND].min
      ensure
        driver&.close
      end
    end
  end
end
