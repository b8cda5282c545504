# frozen_string_literal: true

module Mohs
  class LoadRun
    # Finds the highest rate under a limit on a running server, within a time budget: makes the load
    # that Analysis::Rate asks for and passes it the results. Before that, short closed loops
    # measure the server's capacity.
    class RateFinder
      # Number of closed loops, and the share of the budget for each. The first may warm the server
      # up. Each has connections of its own, since one process of a server may accept most of a
      # loop's (docs/method.md). The higher of two rates is on average somewhat too high.
      LOOPS = 2
      CLOSED = 0.04
      CLOSED_S = (0.3..2.0)
      DRAIN_S = (1.0..5.0)
      # Seconds of the load that checks whether the server still responds.
      ASKED_S = 0.05
      # Records to allocate, as a multiple of the expected requests.
      ROOM = 1.5

      # driver: makes one from its options, as CLI::Context#driver does. options: further options of
      # every driver. busy_per_s: what the server served with all threads busy, as measured before
      # (nil: unknown). busy_connections: those of the closed loops. most: how many times its
      # capacity the rate is at most: probes too short for a queue to grow would else find any rate
      # below the limit (nil: as many as Analysis::Rate tries).
      #: (target: Load::Target, limit: Load::Limit, budget_s: Numeric, driver: ^(**untyped) -> Drivers::Base, ?busy_per_s: Numeric?, ?busy_connections: Integer, ?most: Float?, ?arrivals: Symbol, ?seed: Integer, ?threads: Integer, ?options: Hash[Symbol, untyped], ?on_event: ^(Symbol, Hash[Symbol, untyped]) -> void, ?clock: Module) -> void
      def initialize(target:, limit:, budget_s:, driver:, busy_per_s: nil,
                     busy_connections: target.max_connections, most: nil, arrivals: :poisson,
                     seed: 0, threads: 1, options: {}, on_event: ->(*) {}, clock: Clock)
        @busy_per_s = busy_per_s
        @busy_connections = busy_connections
        @most = most
        @target = target
        @limit = limit
        @budget_s = budget_s
        @driver = driver
        @arrivals = arrivals
        @seed = seed
        @threads = threads
        @options = options
        @on_event = on_event
        @clock = clock
      end

      # After an Interrupt, #result has what was known until then.
      #: () -> LoadRun::RateResult
      def call
        @started_ns = @clock.mono_ns
        closed_loop_per_s = closed_loop or return result
        @capacity_per_s = [closed_loop_per_s, *@busy_per_s].max
        @rate = Analysis::Rate.new(limit: @limit, capacity_per_s: @capacity_per_s,
                                   budget_s: @budget_s - seconds, searched_s: @budget_s,
                                   threads: @threads, most: @most)
        finding = RateResult.short_probes(limit: @limit, needed_s: @rate.needed_s,
                                          budget_s: @budget_s)
        @on_event.call(:capacity, { rate_per_s: @capacity_per_s, finding: })
        probe(@next) while !@gone && (@next = @rate.next)
        result
      end

      #: () -> LoadRun::RateResult
      def result
        outcome = @gone ? "gone" : @rate&.outcome || "undecided"
        RateResult.new(
          outcome:, limit: @limit, capacity_per_s: @capacity_per_s, arrivals: @arrivals,
          interval: (@rate.interval if Analysis::Rate::KNOWN.include?(outcome)),
          budget_s: @budget_s, needed_s: @rate&.needed_s, seconds:, probes: [*@rate&.probes].freeze
        )
      end

      # Whether the server has stopped responding. It is asked again if a load left requests
      # unanswered or had no correct response: a server that hangs sustains no rate, and each probe
      # of it would only say that the rate is still lower.
      #: (Load::StepResult) -> bool
      def silent_after?(result)
        return false unless result.errors.key?(Load::IN_FLIGHT) ||
                            (result.sent.positive? && result.good.zero?)

        step = Load::Step.new(duration_ns: Clock.span_ns(ASKED_S), warm_up: true)
        run(step, drain_s: [left_s, limit_s].max.clamp(DRAIN_S)).first.good.zero?
      end

      private

      def seconds = (@clock.mono_ns - @started_ns) / 1e9

      def left_s = @budget_s - seconds

      def limit_s = @limit.ns / 1e9

      # Seconds that the server gets for the requests in flight at the end of a load.
      def drain_s = (2 * limit_s).clamp(DRAIN_S)

      # The same within the budget, but at least the limit: otherwise nobody knows whether the last
      # requests meet it.
      def drain_within(load_s) = [drain_s, [left_s - load_s, limit_s].max].min

      # Correct responses per second of the best loop; nil if there was none.
      def closed_loop
        length_s = (CLOSED * @budget_s).clamp(CLOSED_S)
        step = Load::Step.new(duration_ns: Clock.span_ns(length_s))
        @on_event.call(:closed_loop, {})
        rates = Array.new(LOOPS) do
          next if @gone

          result, = run(step, connections: @busy_connections, max_connections: @busy_connections,
                              drain_s: drain_within(length_s))
          @gone = silent_after?(result)
          Load.rate_per_s([result]) if result.good.positive?
        end
        rates.compact.max
      end

      # [the result, the recording] on connections of its own.
      def run(step, drain_s:, capacity: 100_000, **target)
        target = Load::Target.new(**@target.to_h, **target)
        driver = @driver.call(targets: [target], threads: @threads, seed: @seed, capacity:,
                              drain_s:, **@options)
        results = driver.run([step]) { |live| @on_event.call(:live, { live: }) }
        [results.last, driver.recording(0)]
      ensure
        driver&.close
      end

      def probe(wanted)
        number = @rate.probes.size
        @on_event.call(:probe, { probe: wanted, interval: @rate.interval, number: number + 1 })
        started_ns = @clock.mono_ns
        step = step(wanted, seed: @seed + number)
        capacity = (wanted.rate_per_s * wanted.seconds * ROOM).ceil
        result, recording = run(step, capacity:, drain_s: drain_within(wanted.seconds))
        @gone = result.gone || silent_after?(result)
        probed = @rate.add(wanted, step, result, recording,
                           seconds: (@clock.mono_ns - started_ns) / 1e9)
        @on_event.call(:probed, { probed: })
      end

      def step(wanted, seed:)
        arrivals = Load::Arrivals.new(kind: @arrivals, rate_per_s: wanted.rate_per_s, seed:)
        Load::Step.new(duration_ns: Clock.span_ns(wanted.seconds), arrivals:)
      end
    end
  end
end
