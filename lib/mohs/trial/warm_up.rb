# frozen_string_literal: true

module Mohs
  class Trial
    # Decides when a server is warm, from the cost of its responses alone (method, sections 3e, 3h,
    # 3i and 5). Pure: it returns how many requests to send next and takes the results.
    #
    #     rule = Trial::WarmUp.for("jruby")
    #     rule << serve(count) until (count = rule.next).is_a?(Symbol)    # :warm, :capped or :short
    #
    # Requests are served in windows that double in size, each in eight steps, so that a window has
    # a median cost and an error. A server is warm if it has served enough requests, its last
    # windows cost the same and by its Curve the rate does not seem to rise; one that compiles in
    # the background, if its Curve is level and its compilers are idle. A server that is not warm by
    # the end is capped, or its warm-up was too short to tell: its Curve says whether its rate still
    # rises (Analysis::Checks::Steady: then it has none) or only varies.
    class WarmUp
      # The cost of a window: requests, wall_ns, `cost` (the median over its steps of CPU time per
      # request) and `error`, the relative standard error of that median.
      Window = Struct.new(:requests, :wall_ns, :cost, :error, keyword_init: true)

      # A server that has answered this many requests need not be loaded for AT_LEAST_S.
      PLENTY = Rubies::Engines::Base::PLENTY

      # The parameters of an engine (Rubies::Engines::Base.warm_up). cap_s: seconds of load after
      # which the warm-up is capped. windows: how many in a row have to agree. longest_s: the
      # longest planned window. cpu_s: CPU time to spend at least, if threads compile in the
      # background. requests: the least number, or as many as requests_s seconds take if that is
      # fewer. settle_s: how long the server may go on compiling after its last request. most:
      # number of requests after which windows that differ are noise (the host's, or garbage
      # collections that fell into one of them), if nothing compiles, or as many as most_s seconds
      # take if that is fewer, but no fewer than any server needs to serve; a server whose cost
      # still rises is found by its drift while it is measured. calls: of a method, in one process,
      # after which its JIT compiles it; 0 without a JIT, and where `requests` cover it. background:
      # whether threads compile while it serves, so that it is warm only once its Curve is level and
      # they are idle. gains: whether applications are known to get faster by such a JIT.
      Rule = Struct.new(:cap_s, :windows, :longest_s, :cpu_s, :requests, :requests_s, :settle_s,
                        :most, :most_s, :calls, :background, :gains, keyword_init: true) do
        #: (**(Numeric | bool)) -> void
        def initialize(**values)
          super(cap_s: 30, windows: 2, longest_s: 2, cpu_s: 0, requests: 500, requests_s: 2.5,
                settle_s: 0, most: Float::INFINITY, most_s: Float::INFINITY, calls: CALLS,
                background: false, gains: true, **values)
          freeze
        end
      end

      # Steps of a window.
      STEPS = 8

      # Requests of the first window, which only measures how fast the server is. The next window
      # has FAST requests or, if a request takes longer than 5 ms, twice the first: 64 requests of
      # 40 ms would take as long as all the others.
      FIRST = 16
      FAST = 64
      FAST_PER_S = 200

      # A window is comparable to the last one if it has at least this share of its requests.
      ALIKE = 0.75

      # A window shorter than this is dominated by the granularity of the clock and the scheduler.
      SHORTEST_NS = 100_000_000

      # YJIT's call threshold for large applications, since 3.3 (ZJIT compiles at the 30th call).
      CALLS = 120

      # The shortest time to serve.
      AT_LEAST_S = 0.5

      # Windows agree if they differ by less than this share, or by less than twice the error of
      # their difference if noise makes that larger, but never by a tenth or more: a server that is
      # still compiling is noisy, too.
      AGREE = 0.02
      AGREE_AT_MOST = 0.1

      # A window that was slowed by a neighbour on the same hardware does not mean that the server
      # is still changing: costs are converted to the core speed (ext/mohs/core/core_speed.h) of the
      # first step that has one. A server slows by a power of the core speed; the exponent is only
      # estimated while the server is measured (Stats::CoreSpeed: 0.2 to 0.9 for either piece of
      # work). With an exponent in the middle, 76 servers of a Rails application were warm after 4.6
      # s instead of 5.8.
      FOLLOWS = 0.45

      # A server that compiles in the background is judged again after this many times the load of
      # the last time: each judgement may err, and noise that hides a rise would pass by chance in
      # one of many (benchmark/warm_up.rb).
      AGAIN = 1.2

      # Error of a median, in standard errors of the mean, for large normal samples: sqrt(pi / 2).
      MEDIAN_ERROR = 1.2533141373155003

      # outcome: nil until the warm-up is decided, then :warm, :capped or :short.
      attr_reader :outcome

      # The rule for an engine ("ruby", "jruby", ...), its JIT ("mjit", "off", nil if unknown) and
      # its flags, under the engine's own cap or the given one. Others: as for .new.
      #: (String, ?jit: String?, ?flags: Array[String], **untyped) ?{ (Array[Load::StepResult]) -> Numeric } -> Trial::WarmUp
      def self.for(engine, jit: nil, flags: [], **others, &least_share)
        rule = Rule.new(**Rubies::Engines.named(engine).warm_up(jit, flags))
        new(rule, **others, &least_share)
      end

      # left_s: what a budget leaves for it, which caps it sooner unless the cap is given; a server
      # that compiles in the background has no figures before it is warm, and gets its time.
      # workers: processes that share the requests; nil or 0 if unknown. pages: as Pages.of. settle:
      # whether to go on until its rate hardly rises any more, while there is time. The block
      # returns what the process with the fewest requests had of an equal share, in the steps that
      # it is given.
      #: (Trial::WarmUp::Rule, ?cap_s: Numeric?, ?left_s: Numeric?, ?workers: Integer?, ?pages: Array[Trial::WarmUp::Pages::Page], ?settle: bool) ?{ (Array[Load::StepResult]) -> Numeric } -> void
      def initialize(rule, cap_s: nil, left_s: nil, workers: nil, pages: Pages::SINGLE,
                     settle: false, &least_share)
        @rule = rule
        @least_share = least_share
        @given_s = cap_s
        left_s = nil if @rule.background
        @cap_s = cap_s || [@rule.cap_s, *left_s].min
        @new_needed = lambda do
          Needed.new(rule, processes: [workers.to_i, 1].max, pages:, given_s: cap_s,
                           settling_s: (settling_s if settle || cap_s))
        end
        @steps = []
        @compilers = []
        @renewed = 0
        begin_first
      end

      # Requests to send in the next step; :warm; :short if it has served too few to tell, since the
      # cap was reached or its pages are too slow to wait for a JIT; or :capped if the cap was
      # reached before it was steady. Then the figures must be marked so or, if it still got faster,
      # it has none.
      #: () -> (Integer | Symbol)
      def next = @outcome || @count

      # A process of the server was replaced by another, which is cold: what was served before that
      # counts no longer. If no time is left for another warm-up, it was too short.
      #: () -> void
      def begin_again
        @renewed += 1
        return begin_first if left_s.positive?

        @late = true
        finish(:short)
      end

      # Seconds that it may still take.
      #: () -> Numeric
      def left_s = [@cap_s - seconds, 0].max

      # What the process with the fewest requests of the window that has just ended had of an equal
      # share; nil within a window.
      #: () -> Numeric?
      def last_share = (share_of(load.last(STEPS)) if window_over?)

      # Takes the CPU time that the server's compilers have used so far (Probes::Compilers): before
      # the first step, then after each, before its result.
      #: (Integer?) -> void
      def compilers(used_ns) = @compilers << used_ns

      # Takes the result of the step just served: anything with good, wall_ns, cpu_ns (nil or 0 if
      # it can't be read: wall time is used then) and thread_stats, as in Load::StepResult. A step
      # without a correct response ends the warm-up: nothing will get warm.
      #: (Load::StepResult) -> self
      def <<(result)
        @steps << result
        return finish(:capped) if result.good.zero?

        @needed.rate = rate
        decide if window_over?
        finish(@needed.short?(requests) ? :short : :capped) if @outcome.nil? && seconds >= @cap_s
        self
      end

      # Takes the load that came before it, with what the compilers had used before and after each
      # part: its requests count, and what they cost is in the Curve, but in no window.
      #: (Array[Load::StepResult], Array[Integer?]) -> self
      def follow(results, compilers)
        @earlier = results
        @compilers = compilers.dup
        @needed.rate = rate
        @needed.decide(least_share)
        self
      end

      # Is the server warm by the load before it, if its cost was steady?
      #: () -> bool
      def warm_before? = enough? && !@needed.short?(requests) && calm?

      #: () -> Integer
      def requests = load.sum(&:good)

      # Seconds to wait at most until the server's compilers are idle: no longer than a given cap.
      #: () -> Numeric
      def settle_s = [@rule.settle_s, *@given_s].min

      # Seconds of its own load, without pauses between steps.
      #: () -> Float
      def seconds = @steps.sum(&:wall_ns) / 1e9

      # Correct responses per second at the end, to plan the measured slices.
      #: () -> Float
      def rate = Load.rate_per_s(load.last(STEPS))

      # Can its next step be one with that of the other? If their rates or steps differed by more
      # than a factor, one would be sent many more requests than it needs, or wait for the other.
      # Before the end of the first window rates are not known, and steps are the same.
      #: (Trial::WarmUp) -> bool
      def alike?(other)
        pairs = [[self.next, other.next]]
        pairs << [rate, other.rate] if [self, other].all? { |one| one.requests >= FIRST }
        pairs.all? { |pair| pair.max <= Plan::Scheme::ALIKE * pair.min }
      end

      # What its JIT had yet to do after so many responses, in shares: `may_rise`, by which its rate
      # may still rise, as far as it has one, and of a JIT that counts calls, `uncompiled`, of the
      # time of pages that it had yet to compile, `uncompiled_requests`, of the requests to them,
      # and `seldom`, the share up to which a branch may be compiled in no page. A server that is
      # warm may serve more before it is measured. compiles: has it such a JIT? It was warmed up as
      # if it had one if that was not known. pages: with the times that they took, if that was not
      # known before the load.
      #: (Integer, ?compiles: bool, ?pages: Array[Trial::WarmUp::Pages::Page]?) -> Hash[Symbol, Float]
      def unwarmed(served, compiles: true, pages: nil)
        return Needed::NOTHING if requests.zero?
        return { **Needed::NOTHING, may_rise: curve.may_rise } if @rule.background

        compiles ? @needed.unwarmed(own(served), pages:) : Needed::NOTHING
      end

      # For the store and the checks; `curve` if it is not warm, or compiles in the background:
      # Curve#to_h, and `most_s`, the seconds that would have been enough, or the cap of its engine
      # if that is more; `renewed`, how often it began again, if it did.
      #: () -> Hash[Symbol, untyped]
      def to_h
        curve = { curve: course } if
          requests.positive? && (@rule.background || %i[capped short].include?(@outcome))
        curve = { renewed: @renewed, **curve.to_h } if @renewed.positive?
        { outcome: @outcome&.to_s, requests:, seconds: seconds.round(3), windows: @windows.size,
          **curve.to_h }
      end

      private

      def begin_first
        @earlier = []
        @begun = @steps.size
        @compilers = @compilers.last(1)
        @windows = []
        @count = FIRST / STEPS
        @needed = @new_needed.call
        @again_ns = 0
        @outcome = nil
      end

      def load = @earlier + @steps.drop(@begun)

      # Of so many responses those of its present processes.
      def own(served)
        return served if @renewed.zero?

        @late ? 0 : [served, requests].min
      end

      # The seconds that there are, also for a rate that hardly rises any more.
      def settling_s = @given_s || [@cap_s, Needed::LONGEST_S].min

      def window_over? = ((@steps.size - @begun) % STEPS).zero?

      def least_share = share_of(load)

      def share_of(steps) = @least_share ? @least_share.call(steps) : 1

      # Without a JIT nothing is left that makes it faster once it has served the least: what seems
      # to rise then is the host's.
      def course
        most_s = @outcome == :short ? @needed.longer_s : @rule.cap_s
        found = { **curve.to_h(patient: @rule.background), most_s: }
        found[:rising] = false if @rule.most.finite? && requests >= @needed.least
        found
      end

      def finish(outcome)
        @outcome = outcome
        self
      end

      def decide
        @windows << window(@steps.last(STEPS))
        # The first one is too short to know how fast the server is.
        @needed.decide(least_share) if @windows.size > 1
        if enough? && (requests >= @needed.most || (steady? && calm?))
          return finish(@needed.short?(requests) ? :short : :warm)
        end

        @count = (wanted / STEPS).ceil
      end

      def window(steps)
        costs = steps.map { |step| cost(step) }
        cost = Stats::Center.median(costs)
        error = MEDIAN_ERROR * noise(costs) / cost / Math.sqrt(STEPS)
        Window.new(requests: steps.sum(&:good), wall_ns: steps.sum(&:wall_ns), cost:, error:)
      end

      def cost(step) = spent(step) / slowed(step) / step.good

      # Standard deviation of a step, from differences of neighbouring steps (von Neumann 1941): a
      # cost that still falls during the window must not pass for noise.
      def noise(costs)
        differences = costs.each_cons(2).map { |one, other| (one - other).abs }
        Stats::Spread::MAD_SCALE * Stats::Center.median(differences) / Math.sqrt(2)
      end

      def spent(step) = Curve.spent(step)

      # How much longer it took than at the first measured core speed; 1 if none was measured.
      def slowed(step)
        times = step.thread_stats&.values_at(*Stats::CoreSpeed::KINDS)
        return 1.0 unless times&.all?

        core_time = times.reduce(:*)
        @core_time ||= core_time
        (core_time / @core_time)**FOLLOWS
      end

      def enough?
        (load.sum(&:wall_ns) >= AT_LEAST_S * 1e9 || requests >= PLENTY) &&
          requests >= @needed.least && load.sum { |step| spent(step) } >= @rule.cpu_s * 1e9
      end

      # Requests before these, the last windows.
      def before(windows) = requests - windows.sum(&:requests)

      def steady?
        last = @windows.last(@rule.windows)
        last.size == @rule.windows && last.all? { |window| window.wall_ns >= SHORTEST_NS } &&
          before(last) >= @needed.compiled &&
          last.each_cons(2).all? { |one, other| agree?(one, other) }
      end

      # Windows of the same length differ little even where costs still fall with each doubling.
      def calm?
        return !curve.seems_to_rise? unless @rule.background

        spent_ns = load.sum { |step| spent(step) }
        return false if spent_ns < @again_ns

        @again_ns = AGAIN * spent_ns
        !curve.rising?(patient: true)
      end

      def curve = Curve.of(load, @compilers) { |step| cost(step) }

      def agree?(one, other)
        error = Math.sqrt((one.error**2) + (other.error**2))
        Math.log(one.cost / other.cost).abs < (2 * error).clamp(AGREE, AGREE_AT_MOST)
      end

      # Requests of the next window: twice the last, but no more than fit into the longest window,
      # and no fewer than windows need to be compared. (Not at least as many as a fast server needs:
      # 500 pages of 43 ms take 22 s.)
      def wanted
        fast = rate >= FAST_PER_S
        doubled = [(first_to_count? ? 1 : 2) * @windows.last.requests, fast ? FAST : 0].max
        longest = [rate * @rule.longest_s, [@needed.most - requests, STEPS].max].min
        size = [(to_the_end(doubled) unless fast) || doubled, longest].min
        (requests < @needed.compiled ? size : [size, @needed.window].max).to_f
      end

      # For slow requests: the requests still missing, first until the JIT has compiled, in one
      # window or in two of equal size, if doubling would exceed that: none is sent in vain. nil if
      # such a window is too large, or too small to be compared with the last.
      def to_the_end(doubled)
        missing = @needed.least - requests
        if requests < @needed.compiled
          missing, least = @needed.compiled - requests, 0
        elsif before(@windows.last(1)) < @needed.compiled && missing.positive?
          return missing / @rule.windows.to_f # the first of those that are compared
        end
        window = missing > doubled ? missing / 2.0 : missing
        window if window.between?(least || (ALIKE * @windows.last.requests), doubled)
      end

      # For a fast server that has answered plenty: a second window of the same length is enough if
      # the two agree. Slow servers and those that are still changing need windows that grow: only
      # then does a drift become larger than the noise.
      def first_to_count?
        before, last = @windows.last(2).map(&:wall_ns)
        requests >= PLENTY && !last.nil? && last >= SHORTEST_NS && before < SHORTEST_NS
      end
    end
  end
end
