# frozen_string_literal: true

module Mohs
  module Analysis
    # Searches for the highest rate at which a figure of the response times stays below a limit:
    # says which rate to probe next, takes the result, and has an estimate at any time. Pure: no
    # clock, no driver. The method is that of Stats::CrossingSearch; its places are logarithms of
    # rates, its function is the log of the figure's ratio to the limit.
    class RateSearch
      # A load to generate: `fill_s` for queues to reach their length, then `sections` of
      # `section_s`.
      Probe = Struct.new(:rate_per_s, :fill_s, :section_s, :sections, keyword_init: true) do
        include Value

        #: () -> Float
        def seconds = fill_s + (section_s * sections)
      end

      # Probes at nearby rates count as one: a quantile of few times is biased. They are no further
      # apart than the search is precise, since probes on both sides of a cliff have together the
      # figure of neither.
      Pool = Struct.new(:places, :sections) do
        #: (Float, Array[Array[Numeric]]) -> void
        def add(place, more)
          places << place
          sections.concat(more)
        end
      end
      NEARBY = 0.02 # as log

      # The range of rates, relative to the rate of a closed loop, and their spacing.
      RANGE = (0.02..2.5)
      STEP = 0.0125
      # The first probe, relative to the same rate; and half the width between the prior's
      # quartiles, as log.
      FIRST = 0.75
      SCALE = 0.5
      LEVEL = 0.95
      # The search ends when the rate is known to within this share on either side.
      PRECISION = 0.02
      # Where to probe, as quantiles of the belief: the middle says most about the place, the sides
      # about the slope, the more the further out.
      TURNS = [0.5, 0.1, 0.9].freeze
      # [sections of a probe, fill in sections]: at first, and once the ratio of the interval's ends
      # is less than NEAR.
      AT_FIRST = [2, 0.5].freeze
      LATER = [4, 1.0].freeze
      NEAR = 1.3
      # After this many spoiled probes in a row the search gives up: the driver can't do it here.
      SPOILED = 4
      # A rate is held unless, at the end of a probe, more than MOST_BEHIND of it still waits, and
      # more than a queue that would be there by chance with a probability of BY_CHANCE if the
      # figure is at the limit.
      MOST_BEHIND = 0.05
      BY_CHANCE = 0.001
      # The number of times beyond the limit that a section should contain. A rare figure needs
      # fewer, FEW_TIMES, in a section of MANY requests which lasts so long that its queue forgets
      # SETTLED times how it began: what makes searches wrong is the queue, more than the count
      # (docs/driver.md has how often simulated searches for a p99 were right). With 4 times, rates
      # were 5 % too high, which several boots together show as certain. Then its shortest length;
      # and the longest, as a part of the budget.
      TIMES = 20
      FEW_TIMES = 10
      MANY = 200
      SETTLED = 8
      SHORTEST_S = 0.3
      PART = 24
      # The variance that a section's log figure has, from simulated queues at 25 to 95 % of their
      # capacity: COUNTED by the number of times beyond the limit, and FORGOTTEN by the number of
      # times after which the queue has forgotten how it began; at most VARIED, since each section
      # begins near an empty queue.
      COUNTED = 0.5
      FORGOTTEN = 1.0
      VARIED = 0.4

      # How long a section has to be: for as many times as the figure is computed from, and twice
      # the time after which a queue has forgotten how it began: 4 rate / (capacity - rate)^2 for
      # the M/M/1 queue whose figure is at the limit (Abate and Whitt 1987).
      #: (limit: Load::Limit, rate_per_s: Numeric) -> Float
      def self.section_s(limit:, rate_per_s:)
        each = Math.exp(rarity(limit))
        relaxation_s = relaxation_s(limit, rate_per_s)
        few_s = [[FEW_TIMES * each, MANY].max.fdiv(rate_per_s), SETTLED * relaxation_s].max
        [[TIMES * each / rate_per_s, few_s].min, 2 * relaxation_s, SHORTEST_S].max
      end

      def self.relaxation_s(limit, rate_per_s)
        spare = rarity(limit) * 1e9 / limit.ns
        4 * rate_per_s / (spare**2)
      end
      private_class_method :relaxation_s

      # The spread that the log figure of such a section has near the limit, before any is seen. Of
      # few sections the observed spread alone would be too small: they depend on each other.
      #: (limit: Load::Limit, rate_per_s: Numeric, section_s: Numeric) -> Float
      def self.spread(limit:, rate_per_s:, section_s:)
        beyond = rate_per_s * section_s * Math.exp(-rarity(limit))
        forgotten = section_s / relaxation_s(limit, rate_per_s)
        Math.sqrt([(COUNTED / beyond) + (FORGOTTEN / forgotten), VARIED].min)
      end

      # The time of a search whose sections are long enough. rate_per_s: that of a closed loop.
      #: (limit: Load::Limit, rate_per_s: Numeric) -> Float
      def self.needed_s(**given) = PART * section_s(**given)

      # Minus the log of the share of times beyond the limit. For exponential times, which those of
      # a queue are in the end, this is the limit in units of their mean.
      #: (Load::Limit) -> Float
      def self.rarity(limit) = limit.share ? -Math.log(1 - limit.share) : 1.0

      # See RateSearch.needed_s.
      attr_reader :needed_s

      # limit: Load::Limit. capacity_per_s: the rate of a closed loop; the search goes no higher
      # than `most` times that.
      #: (limit: Load::Limit, capacity_per_s: Numeric, budget_s: Numeric, ?most: Float) -> void
      def initialize(limit:, capacity_per_s:, budget_s:, most: RANGE.max)
        @limit = limit
        @budget_s = budget_s
        @needed_s = self.class.needed_s(limit:, rate_per_s: capacity_per_s)
        @section_s = [@needed_s, budget_s].min.fdiv(PART)
        @spent_s = 0
        @probes = @spoiled = 0
        @pools = Hash.new { |pools, key| pools[key] = Pool.new([], []) }
        low, high, guess = [RANGE.min, most, FIRST].map { |share| Math.log(share * capacity_per_s) }
        @belief = Stats::CrossingSearch.new(low:, high:, guess:, step: STEP, scale: SCALE,
                                            capacity: Math.log(capacity_per_s))
      end

      # The next probe; nil if the search is over.
      #: () -> Analysis::RateSearch::Probe?
      def next
        return if spoiled? || precise?

        sections, fill = width < NEAR ? LATER : AT_FIRST
        probe = Probe.new(rate_per_s: rate(TURNS[@probes % TURNS.size]), section_s: @section_s,
                          fill_s: fill * @section_s, sections:)
        probe if @spent_s + probe.seconds <= @budget_s
      end

      # Adds the result of a probe: its sections of response times in ns; `behind_s`, how much of
      # the load was still waiting to be sent at its end; and how long it took. If the rate was not
      # held, returns false, and uses only that the rate is too high.
      #: (Analysis::RateSearch::Probe, Array[Array[Numeric]], behind_s: Numeric, seconds: Numeric) -> bool
      def add(probe, sections, behind_s:, seconds:)
        @spent_s += seconds
        @probes += 1
        @spoiled = 0
        place = Math.log(probe.rate_per_s)
        held = behind_s <= [MOST_BEHIND * probe.seconds, longest_queue_s].max
        held ? look(place, sections) : @belief.beyond(place)
        held
      end

      # The driver itself spoiled a probe: the probe costs its time and says nothing.
      #: (seconds: Numeric) -> void
      def void(seconds:)
        @spent_s += seconds
        @spoiled += 1
      end

      #: () -> bool
      def spoiled? = @spoiled >= SPOILED

      # The highest rate, in requests a second, and the ends between which it lies with probability
      # LEVEL.
      #: () -> Stats::Interval
      def interval
        low, value, high = [(1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2].map { |p| rate(p) }
        Stats::Interval.new(value:, low:, high:, count: @probes)
      end

      private

      def look(place, sections)
        key = (place / NEARBY).round
        pool = @pools[key].tap { |one| one.add(place, sections) }
        figures = Stats::Sections.new(pool.sections, share: @limit.share)
        return unless figures.figure

        middle = Stats::Center.mean(pool.places)
        prior_sd = self.class.spread(limit: @limit, rate_per_s: Math.exp(middle),
                                     section_s: @section_s)
        @belief.look(key, middle, **figures.against(@limit.ns, prior_sd:))
      end

      def longest_queue_s = -Math.log(BY_CHANCE) / self.class.rarity(@limit) * @limit.ns / 1e9

      def rate(p) = Math.exp(@belief.quantile(p))

      def width = interval.then { |one| one.high / one.low }

      def precise? = width < (1 + PRECISION)**2
    end
  end
end
