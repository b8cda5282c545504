# frozen_string_literal: true

module Mohs
  module Load
    # Finds the highest rate under a limit on a server that runs: makes the load that RateSearch
    # asks for and tells it what came of it, within a budget of time. Before that a short closed
    # loop tells what the server can do at most.
    class RateFinder
      # One probe. outcome: "below" or "above" (the figure to the limit), "not_held" (requests could
      # not be sent as they fell due), "spoiled" (by the driver; `reason` is the Finding that says
      # how). `figure_ns` is nil where too few were answered for it; `late` fell due, and was not
      # sent in time.
      Probed = Struct.new(:rate_per_s, :seconds, :outcome, :figure_ns, :offered, :late, :errors,
                          :interval, :reason, keyword_init: true) do
        include Value
      end

      # outcome: "found"; "none" (above the limit at every rate tried), "at_least" (below it at
      # every one); "spoiled" (by the driver); "gone" (the server answers no more); "undecided" (no
      # probe counts). `interval` is nil but of the first three. `needed_s`: see RateSearch.
      Result = Struct.new(:outcome, :interval, :limit, :capacity_per_s, :arrivals, :budget_s,
                          :needed_s, :seconds, :probes, keyword_init: true) do
        include Value
      end

      # Of the budget, for the closed loop's warm-up, and as much for what is measured of it.
      CLOSED = 0.04
      CLOSED_S = (0.3..2.0)
      # What did not come, in limits.
      NEVER = 1000
      DRAIN_S = (1.0..5.0)
      # For records, of the requests that are expected.
      ROOM = 1.5

      # driver: makes one of its options, as CLI::Context#driver. options: more of these, for all.
      #: (target: Load::Target, limit: Load::Limit, budget_s: Numeric, driver: ^(**untyped) -> Drivers::Base, ?arrivals: Symbol, ?seed: Integer, ?threads: Integer, ?options: Hash[Symbol, untyped], ?on_event: ^(Symbol, Hash[Symbol, untyped]) -> void, ?clock: Module) -> void
      def initialize(target:, limit:, budget_s:, driver:, arrivals: :poisson, seed: 0, threads: 1,
                     options: {}, on_event: ->(*) {}, clock: Clock)
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
        @probes = []
      end

      # After an Interrupt #result tells what was known until then.
      #: () -> Load::RateFinder::Result
      def call
        @started_ns = @clock.mono_ns
        @capacity_per_s = closed_loop or return result
        @search = RateSearch.new(limit: @limit, capacity_per_s: @capacity_per_s,
                                 budget_s: @budget_s - seconds)
        @on_event.call(:capacity, { rate_per_s: @capacity_per_s })
        probe(@next) while !@gone && (@next = @search.next)
        result
      end

      #: () -> Load::RateFinder::Result
      def result
        Result.new(outcome:, interval:, limit: @limit, capacity_per_s: @capacity_per_s,
                   arrivals: @arrivals, budget_s: @budget_s, needed_s: @search&.needed_s, seconds:,
                   probes: @probes.dup.freeze)
      end

      private

      def seconds = (@clock.mono_ns - @started_ns) / 1e9

      # Right answers a second; nil where there was none.
      def closed_loop
        length_ns = ((CLOSED * @budget_s).clamp(CLOSED_S) * 1e9).round
        steps = [true, false].map { |warm_up| Step.new(duration_ns: length_ns, warm_up:) }
        @on_event.call(:closed_loop, {})
        step = run(steps, connections: @target.max_connections).first.last
        return step.good * 1e9 / step.wall_ns if step.good.positive?

        @gone = true
        nil
      end

      # [the results, the recording] on connections of its own.
      def run(steps, capacity: 100_000, **target)
        target = Target.new(**@target.to_h, **target)
        driver = @driver.call(targets: [target], threads: @threads, seed: @seed, capacity:,
                              drain_s: (2 * @limit.ns / 1e9).clamp(DRAIN_S), **@options)
        [driver.run(steps) { |live| @on_event.call(:live, { live: }) }, driver.recording(0)]
      ensure
        driver&.close
      end

      def probe(wanted)
        number = @probes.size + 1
        @on_event.call(:probe, { probe: wanted, interval: @search.interval, number: })
        started_ns = @clock.mono_ns
        arrivals = Arrivals.new(kind: @arrivals, rate_per_s: wanted.rate_per_s,
                                seed: @seed + @probes.size)
        step = Step.new(duration_ns: (wanted.seconds * 1e9).round, arrivals:)
        capacity = (wanted.rate_per_s * wanted.seconds * ROOM).ceil
        results, recording = run([step], capacity:)
        sections = sections(wanted, step, results.first, recording.responses)
        judge(wanted, results.first, sections, took: (@clock.mono_ns - started_ns) / 1e9)
      end

      # Of what fell due in each section, the response times: NEVER limits without a right answer.
      def sections(wanted, step, result, responses)
        sections = Array.new(wanted.sections) { [] }
        responses.each do |due_ns, took_ns|
          index = section(wanted, due_ns - result.started_ns) and sections[index] << took_ns
        end
        due = step.arrivals.due_ns(duration_ns: step.duration_ns)
                  .map { |due_ns| section(wanted, due_ns) }.tally
        sections.each_with_index do |times, index|
          missing = due.fetch(index, 0) - times.size
          times.concat([NEVER * @limit.ns] * missing) if missing.positive?
        end
      end

      # In which a request belongs that was due then; nil: in none, since queues were still filling.
      def section(wanted, due_ns)
        index = (((due_ns / 1e9) - wanted.fill_s) / wanted.section_s).floor
        index if index.between?(0, wanted.sections - 1)
      end

      def judge(wanted, result, sections, took:)
        @gone = result.gone
        late = result.late + result.unsent
        reason = Analysis::Checks.of_probe(result, limit: @limit, threads: @threads)
        held = take(wanted, sections, behind_s: late / wanted.rate_per_s, took:, reason:)
        figure_ns = figure_ns(sections)
        outcome = reason ? "spoiled" : outcome_of(held, figure_ns)
        @probes << Probed.new(rate_per_s: wanted.rate_per_s, seconds: took, outcome:, figure_ns:,
                              offered: result.offered, late:, errors: result.errors,
                              interval: @search.interval, reason:)
        @on_event.call(:probed, { probed: @probes.last })
      end

      # nil: endless, by requests that had no right answer.
      def figure_ns(sections)
        figure = Stats::Sections.new(sections, share: @limit.share).figure
        figure if figure && figure < NEVER * @limit.ns
      end

      def take(wanted, sections, behind_s:, took:, reason:)
        return @search.void(seconds: took) if reason

        @search.add(wanted, sections, behind_s:, seconds: took)
      end

      def outcome_of(held, figure_ns)
        return "not_held" unless held

        figure_ns && figure_ns < @limit.ns ? "below" : "above"
      end

      def counted = @probes.reject { |probe| probe.outcome == "spoiled" }

      def outcome
        return "gone" if @gone
        return @search&.spoiled? ? "spoiled" : "undecided" if counted.empty?

        below, above = counted.partition { |probe| probe.outcome == "below" }
        return "none" if below.empty?

        above.empty? ? "at_least" : "found"
      end

      def interval = (@search.interval if %w[found none at_least].include?(outcome))
    end
  end
end
