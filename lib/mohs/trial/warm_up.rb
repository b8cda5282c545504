# frozen_string_literal: true

module Mohs
  class Trial
    # Decides when a server is warm, from the cost of its answers alone (method, sections 3e, 3h, 3i
    # and 5). Pure: it returns how many requests to send next and takes the results.
    #
    #     rule = Trial::WarmUp.for("jruby")
    #     rule << serve(count) until (count = rule.next).is_a?(Symbol)    # :warm or :capped
    #
    # Requests are served in windows that double, each in eight steps, so that a window has a median
    # cost and an error. A server is warm if it served enough and its last windows cost the same.
    class WarmUp
      # The cost of a window: requests, wall_ns, cpu_ns, `cost` (median over its steps of CPU per
      # request) and `error`, the relative standard error of that.
      Window = Struct.new(:requests, :wall_ns, :cpu_ns, :cost, :error, keyword_init: true)

      # A server that has answered so many needs no half second.
      PLENTY = Rubies::Engines::Base::PLENTY

      # The parameters of an engine (Rubies::Engines::Base.warm_up). windows: how many in a row have
      # to agree; longest_s: no window is planned longer; cpu_s: CPU time to have spent, if threads
      # compile in the background; requests: so many, or requests_s of them if they are slow.
      # settle_s: how long it may go on compiling behind its last request. most: requests after
      # which windows that differ are noise (the host's, or garbage collections that fell into one),
      # if nothing compiles: a server that grows dearer is found by its drift while measured.
      Rule = Struct.new(:cap_s, :windows, :longest_s, :cpu_s, :requests, :requests_s, :settle_s,
                        :most, keyword_init: true) do
        #: (**Numeric) -> void
        def initialize(**values)
          super(cap_s: 30, windows: 2, longest_s: 2, cpu_s: 0, requests: 500, requests_s: 2.5,
                settle_s: 0, most: Float::INFINITY, **values)
          freeze
        end
      end

      # Steps of a window.
      STEPS = 8

      # Requests of the first window, which only measures how fast the server is; the next has FAST
      # or, if a request takes longer than 5 ms, twice the first: 64 requests of 40 ms would take as
      # long as all the rest.
      FIRST = 16
      FAST = 64
      FAST_PER_S = 200

      # A window that is at least this share of the last one can be compared with it.
      ALIKE = 0.75

      # A window shorter than this is dominated by the clock's and the scheduler's grain.
      SHORTEST_NS = 100_000_000

      # Requests and time to have served at least. Slow requests run more code each: fewer of them
      # do, but not fewer than 120, YJIT's call threshold for large applications, unless those take
      # 10 s.
      FEWEST = 120
      FEWEST_S = 10
      AT_LEAST_S = 0.5

      # Windows agree within this share, or twice the error of their difference where noise makes
      # that larger, but never beyond a tenth: a server that is still compiling is noisy too.
      AGREE = 0.02
      AGREE_AT_MOST = 0.1

      # A window that a neighbour on the same hardware slowed does not mean that the server still
      # changes: costs are given at the core speed (ext/mohs/core/core_speed.h) in the first step
      # that has it. The power of it by which a server slows is only estimated while it is measured
      # (Stats::CoreSpeed: of either piece of work 0.2 to 0.9); with one in the middle 76 servers of
      # a Rails application were warm after 4.6 s instead of 5.8.
      FOLLOWS = 0.45

      # Error of a median in standard errors of the mean, for large normal samples: sqrt(pi / 2).
      MEDIAN_ERROR = 1.2533141373155003

      # outcome: nil until it is decided, then :warm or :capped.
      attr_reader :outcome

      # The rule for an engine ("ruby", "jruby", ...) and its JIT ("mjit", "off", nil if unknown),
      # under its own cap or the one given.
      #: (String, ?jit: String?, ?cap_s: Numeric?) -> Trial::WarmUp
      def self.for(engine, jit: nil, cap_s: nil)
        new(Rule.new(**Rubies::Engines.named(engine).warm_up(jit)), cap_s:)
      end

      #: (Trial::WarmUp::Rule, ?cap_s: Numeric?) -> void
      def initialize(rule, cap_s: nil)
        @rule = rule
        @given_s = cap_s
        @cap_s = cap_s || @rule.cap_s
        @steps = []
        @windows = []
        @count = FIRST / STEPS
        @outcome = nil
      end

      # Requests to send in the next step, or :warm, or :capped if the cap was reached first: then
      # the figures are of a server that was not steady, and have to say so.
      #: () -> (Integer | Symbol)
      def next = @outcome || @count

      # Takes the result of the step just served: anything with good, wall_ns, cpu_ns (nil or 0 if
      # it can't be read: wall time is used then) and thread_stats, as in Load::StepResult. A step
      # without a right answer ends the warm-up: nothing will get warm.
      #: (Load::StepResult) -> self
      def <<(result)
        @steps << result
        return finish(:capped) if result.good.zero?

        decide if (@steps.size % STEPS).zero?
        @outcome = :capped if @outcome.nil? && seconds >= @cap_s
        self
      end

      #: () -> Integer
      def requests = @steps.sum(&:good)

      # Seconds to wait at most until its compilers rest: no longer than a cap that was given.
      #: () -> Numeric
      def settle_s = [@rule.settle_s, *@given_s].min

      # Of load, pauses between steps not counted.
      #: () -> Float
      def seconds = @steps.sum(&:wall_ns) / 1e9

      # Right answers a second at the end, to plan the measured slices.
      #: () -> Float
      def rate = Load.rate_per_s(@steps.last(STEPS))

      # For the store and the checks.
      #: () -> { outcome: String?, requests: Integer, seconds: Float, windows: Integer }
      def to_h
        { outcome: @outcome&.to_s, requests:, seconds: seconds.round(3), windows: @windows.size }
      end

      private

      def finish(outcome)
        @outcome = outcome
        self
      end

      def decide
        @windows << window(@steps.last(STEPS))
        return finish(:warm) if enough? && (steady? || requests >= @rule.most)

        @count = (wanted / STEPS).ceil
      end

      def window(steps)
        costs = steps.map { |step| spent(step) / slowed(step) / step.good }
        cost = Stats::Center.median(costs)
        error = MEDIAN_ERROR * noise(costs) / cost / Math.sqrt(STEPS)
        Window.new(requests: steps.sum(&:good), wall_ns: steps.sum(&:wall_ns),
                   cpu_ns: steps.sum { |step| spent(step) }, cost:, error:)
      end

      # Standard deviation of a step, from neighbouring ones (von Neumann 1941): a cost that still
      # falls through the window must not pass for noise.
      def noise(costs)
        differences = costs.each_cons(2).map { |one, other| (one - other).abs }
        Stats::Spread::MAD_SCALE * Stats::Center.median(differences) / Math.sqrt(2)
      end

      # A cost of nothing can't be compared.
      def spent(step) = step.cpu_ns&.nonzero? || step.wall_ns

      # How much longer it took than at the first core speed measured, 1 if there is none.
      def slowed(step)
        times = step.thread_stats&.values_at(*Stats::CoreSpeed::KINDS)
        return 1.0 unless times&.all?

        core_time = times.reduce(:*)
        @core_time ||= core_time
        (core_time / @core_time)**FOLLOWS
      end

      def enough?
        (seconds >= AT_LEAST_S || requests >= PLENTY) && requests >= least_requests &&
          @windows.sum(&:cpu_ns) >= @rule.cpu_s * 1e9
      end

      def least_requests
        [[@rule.requests, @rule.requests_s * rate].min, [FEWEST, FEWEST_S * rate].min].max
      end

      def steady?
        last = @windows.last(@rule.windows)
        last.size == @rule.windows && last.all? { |window| window.wall_ns >= SHORTEST_NS } &&
          last.each_cons(2).all? { |one, other| agree?(one, other) }
      end

      def agree?(one, other)
        error = Math.sqrt((one.error**2) + (other.error**2))
        Math.log(one.cost / other.cost).abs < (2 * error).clamp(AGREE, AGREE_AT_MOST)
      end

      # Requests of the next window: twice the last, but no more than its longest time holds.
      def wanted
        fast = rate >= FAST_PER_S
        doubled = [(first_to_count? ? 1 : 2) * @windows.last.requests, fast ? FAST : 0].max
        longest = [rate * @rule.longest_s, [@rule.most - requests, STEPS].max].min
        [(to_the_end(doubled) unless fast) || doubled, longest].min.to_f
      end

      # For slow requests the rest, in one window or two alike, if doubling would exceed it: none is
      # sent for nothing.
      def to_the_end(doubled)
        left = least_requests - requests
        window = left > doubled ? left / 2.0 : left
        window if window.between?(ALIKE * @windows.last.requests, doubled)
      end

      # For a fast server that has answered plenty: then a second one as long is enough, if they
      # agree. Slow ones and those that still change need windows that grow: only then does a drift
      # become larger than the noise.
      def first_to_count?
        before, last = @windows.last(2).map(&:wall_ns)
        requests >= PLENTY && !last.nil? && last >= SHORTEST_NS && before < SHORTEST_NS
      end
    end
  end
end
