# frozen_string_literal: true

module Mohs
  class Trial
    class WarmUp
      # How the cost of a server's responses changed over its warm-up: is it level, does it still
      # fall (so that the rate still rises), or does it only vary? Pure. Judged over the last
      # doubling of the load, by CPU time spent: seconds of load say little where a server starves
      # beside others. A trend per doubling shows a slow fall that neighbouring windows hide.
      class Curve
        # A step of load: correct responses, wall_ns, spent_ns (CPU time, or wall time if that is
        # unknown), `cost`, what a response cost (adjusted for the speed of the core), and
        # compilers_ns, the CPU time of the threads that compile in the server's process (nil if
        # unknown).
        Step = Struct.new(:good, :wall_ns, :spent_ns, :cost, :compilers_ns, keyword_init: true)

        # The last doubling is cut into this many parts, equally long on a logarithmic scale; with
        # fewer than FEWEST there is no trend to see: even a series that only falls is not beyond
        # CERTAIN.
        PARTS = 12
        FEWEST = 8

        # A rate is level if it is less than BELOW under that after LONG_S of load, even if it rises
        # as fast until then as the bound on its rise allows.
        BELOW = 0.1
        LONG_S = 600

        # A rate still rises if it rises by at least this with each doubling, and surely: Kendall's
        # count, in standard deviations. A host's speed drifts, too: of twelve kinds of simulated
        # series without a trend, 500 of each (1/f noise of 4.5 or 10 %, 5 or 30 % more from step to
        # step, 3 to 180 s of load), at most 0.8 % seem to rise with both bounds; with 2.33 in place
        # of 3.29, up to 8.4 %.
        RISES = Analysis::Checks::Steady::RISES
        CERTAIN = 3.29

        # A rate that seems to rise keeps a server from being warm for now. A level one seems to in
        # 4 to 6 % of looks, on a host whose speed drifts in up to 19 %: that costs an ordinary
        # server hardly any time (docs/method.md, Warm, or no figure).
        SEEMS = 1.645

        # The compilers are idle if they take a smaller share of the server's CPU time than this,
        # over the last quarter of the load.
        IDLE = Analysis::Checks::Steady::IDLE

        # The first rate is that of the first steps with this many responses.
        FIRST = 64

        QUARTERS = 4

        # An estimate beyond this many times the load so far would be a guess. It is looked at each
        # time that the load has grown by GROWN.
        FURTHEST = 8
        GROWN = 1.1

        class << self
          # From results of load and what the compilers had used before and after each
          # (WarmUp#compilers). The block gives the cost of a response; without one it is the time
          # spent on it.
          #: (Array[Load::StepResult], Array[Integer?]) ?{ (Load::StepResult) -> Float } -> Trial::WarmUp::Curve
          def of(results, compilers)
            used = compilers.each_cons(2).map { |was, now| was && now && (now - was) }
            answered = results.zip(used).reject { |result, _| result.good.zero? }
            new(answered.map do |result, compilers_ns|
              cost = block_given? ? yield(result) : spent(result).fdiv(result.good)
              Step.new(good: result.good, wall_ns: result.wall_ns, spent_ns: spent(result), cost:,
                       compilers_ns:)
            end)
          end

          # CPU time; wall time if that is unknown or zero: a cost of zero can't be compared.
          #: (Load::StepResult) -> Integer
          def spent(result) = result.cpu_ns&.nonzero? || result.wall_ns
        end

        #: (Array[Trial::WarmUp::Curve::Step]) -> void
        def initialize(steps)
          @steps = steps
          total = steps.sum(&:spent_ns).to_f
          done = 0
          # Each with the share of the load, by the time spent on it, that was done by its middle.
          @placed = steps.map do |step|
            done += step.spent_ns
            [step, (done - (step.spent_ns / 2.0)) / total]
          end
        end

        # By which share the rate rises with each doubling of the load, at the end; nil if that
        # can't be told yet.
        #: () -> Float?
        def rise
          @rise ||= rise_of(parts) if parts.size >= FEWEST
        end

        # Is the rate less than BELOW under that after LONG_S? It may rise by as much with each
        # doubling until then as Kendall's test does not exclude; after that it must not seem to.
        #: () -> bool
        def level? = !rise.nil? && level_by?(parts, doublings_left)

        # By which share the rate may rise until then: if it goes on as steeply as the same test
        # does not exclude. 0 if that can't be told.
        #: () -> Float
        def may_rise
          least = least(parts) if parts.size >= FEWEST
          Math.exp(-[least.to_f, 0.0].min * doublings_left) - 1
        end

        # Do the compilers take less than IDLE? nil if unknown.
        #: () -> bool?
        def idle? = compilers&.<(IDLE)

        # The compilers' share of the CPU time over the last quarter; nil if unknown.
        #: () -> Float?
        def compilers
          last = by_quarter[QUARTERS - 1]
          return if last.nil? || last.any? { |step| step.compilers_ns.nil? }

          last.sum(&:compilers_ns).fdiv(last.sum(&:spent_ns))
        end

        # Does the rate rise beyond chance? nil if that can't be told yet. `patient`: of an engine
        # that compiles in the background; such a server is known to get faster, so its rate is
        # taken to rise until it is shown to be level and its compilers to be idle.
        #: (?patient: bool) -> bool?
        def rising?(patient: false)
          return !(level? && idle?) if patient

          rise && rising_by?(parts, CERTAIN)
        end

        # Does the rate seem to rise, although that may be chance? nil if that can't be told yet.
        #: () -> bool?
        def seems_to_rise? = rise && rising_by?(parts, SEEMS)

        # Responses a second at first and at the end.
        #: () -> { first_per_s: Float, last_per_s: Float }
        def rates
          count = 0
          first = @steps.take_while { |step| (count += step.good) - step.good < FIRST }
          { first_per_s: per_s(first), last_per_s: per_s(@steps.last(STEPS)) }
        end

        # Seconds of load after which the server should be found warm, if its cost goes on as it did
        # and its noise stays; nil if unknown, as it is while compilers work: the next stage of
        # compilation may bring as much as all before.
        #: (?patient: bool) -> Float?
        def warm_s(patient: false)
          return if rise.nil? || idle? == false || (cost = tendency).nil?

          noise = parts.map { |place, log| log - Math.log(cost.call(2**place)) }
          times = (0..Math.log(FURTHEST, GROWN)).map { |count| GROWN**count }.find do |load|
            later = parts.zip(noise).map do |(place, _), more|
              [place, Math.log(cost.call(load * (2**place))) + more]
            end
            warm_by?(later, [doublings_left - Math.log2(load), 0].max, patient:)
          end
          seconds * times if times
        end

        # Seconds of load before which it can't be warm, even if its compilers do nothing from now
        # on: they have to be idle over the last quarter. nil if they are, or if that is unknown.
        #: () -> Float?
        def earliest_s
          return unless idle? == false

          worked_ns = 0
          before_ns = total_ns = @steps.sum(&:spent_ns)
          @steps.reverse_each do |step|
            worked_ns += step.compilers_ns.to_i
            break if worked_ns >= IDLE * (before_ns - step.spent_ns) / (QUARTERS - 1)

            before_ns -= step.spent_ns
          end
          seconds * before_ns / total_ns * QUARTERS / (QUARTERS - 1)
        end

        # For the store and the check.
        #: (?patient: bool) -> Hash[Symbol, untyped]
        def to_h(patient: false)
          { **rates, rise:, compilers:, rising: rising?(patient:), warm_s: warm_s(patient:),
            earliest_s: }
            .transform_values { |value| value.is_a?(Float) ? value.round(4) : value }
        end

        private

        def seconds = @steps.sum(&:wall_ns) / 1e9

        # Until LONG_S, by seconds or by the time spent, whichever is less: on a busy machine
        # seconds say little, and on many cores the time spent is no longer load.
        def doublings_left
          load_s = [seconds, @steps.sum(&:spent_ns) / 1e9].min
          [Math.log2(LONG_S / load_s), 0].max
        end

        def per_s(steps) = steps.sum(&:good) / (steps.sum(&:wall_ns) / 1e9)

        def rise_of(parts)
          Math.exp(-Stats::TheilSen.slope(parts.map(&:last), parts.map(&:first))) - 1
        end

        def level_by?(parts, left)
          return false if rise_of(parts) >= RISES

          least = least(parts)
          !least.nil? && least * left > Math.log(1 - BELOW)
        end

        # The least slope of the cost's logarithm, by doubling.
        def least(parts)
          places, costs = parts.transpose
          Stats::TheilSen.least(costs, places, z: CERTAIN)
        end

        def rising_by?(parts, deviations)
          rise_of(parts) >= RISES && Stats::Kendall.z(parts.map(&:last)) <= -deviations
        end

        def warm_by?(parts, left, patient:)
          patient ? level_by?(parts, left) : !rising_by?(parts, SEEMS)
        end

        # What a response costs after so many times the load so far, extrapolated from the last
        # three quarters of the load (Aitken's method): each has to save less than the one before
        # it, and is taken to go on so. nil if it does not.
        def tendency
          first, second, third = costs = quarters.drop(1)
          return if costs.any?(&:nil?) || !(first > second && second > third)

          ratio = (second - third) / (first - second)
          final = third - ((second - third) * ratio / (1 - ratio)) if ratio < 1
          return unless final&.positive?

          middle = (QUARTERS - 0.5) / QUARTERS
          ->(load) { final + ((third - final) * (ratio**((load - middle) * QUARTERS))) }
        end

        # [[doublings before the end, log of the cost]] of each part of the last doubling.
        def parts
          @parts ||= begin
            last = @placed.select { |_, share| share >= 0.5 }
                          .map { |step, share| [step.cost, Math.log2(share)] }
            last.group_by { |_, at| (at * PARTS).floor }.sort.map do |_, same|
              costs, places = same.transpose
              [Stats::Center.mean(places), Math.log(Stats::Center.median(costs))]
            end
          end
        end

        # { number of a quarter, from 0 => its steps }.
        def by_quarter
          @placed.group_by { |_, share| (share * QUARTERS).floor }
                 .transform_values { |same| same.map(&:first) }
        end

        # The cost of a response in each quarter, nil without a step.
        def quarters
          steps = by_quarter
          Array.new(QUARTERS) do |quarter|
            costs = steps[quarter]&.map(&:cost)
            Stats::Center.median(costs) if costs
          end
        end
      end
    end
  end
end
