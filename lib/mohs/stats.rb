# frozen_string_literal: true

module Mohs
  # What the laboratory computes with: pure functions of numbers. This file has the elementary ones;
  # each model or test has a file of its own.
  module Stats
    # The location of a sample.
    module Center
      # Share cut off at each end: between the mean, which a single stall moves, and the median,
      # which wastes a third of the data (method, finding 4; Wilcox, Introduction to Robust
      # Estimation, recommends the same 20 %).
      TRIM = 0.2

      module_function

      #: (Array[Numeric]) -> Float
      def mean(values) = values.sum.to_f / values.size

      #: (Array[Numeric]) -> Float
      def median(values)
        sorted = values.sort
        middle = sorted.size / 2
        sorted.size.odd? ? sorted[middle].to_f : (sorted[middle - 1] + sorted[middle]) / 2.0
      end

      # Mean of what is left when floor(TRIM * n) values are cut off at each end, as in R's mean(x,
      # trim).
      #: (Array[Numeric]) -> Float
      def trimmed_mean(values)
        cut = (TRIM * values.size).floor
        mean(values.sort[cut...(values.size - cut)])
      end
    end

    # The spread of a sample.
    module Spread
      # Scales the median absolute deviation of a normal sample to an estimate of its standard
      # deviation: 1 / qnorm(3/4).
      MAD_SCALE = 1.4826022185056018

      module_function

      # With n - 1 in the denominator.
      #: (Array[Numeric]) -> Float
      def variance(values)
        mean = Center.mean(values)
        values.sum { |value| (value - mean)**2 } / (values.size - 1)
      end

      #: (Array[Numeric]) -> Float
      def sd(values) = Math.sqrt(variance(values))
    end

    # The standard normal distribution.
    module Normal
      module_function

      #: (Numeric) -> Float
      def cdf(z) = upper(-z)

      # Probability of a value above z.
      #: (Numeric) -> Float
      def upper(z) = Math.erfc(z / Math.sqrt(2)) / 2

      # The z that a share `p` lies below. The upper tail is convex to the right of 0, so Newton's
      # method started at 0 approaches the root from one side and cannot overshoot.
      #: (Numeric) -> Float
      def quantile(p)
        return -quantile(1 - p) if p < 0.5

        z = 0.0
        200.times do
          step = (upper(z) - (1 - p)) / density(z)
          z += step
          break if step.abs <= 1e-15 * z.abs
        end
        z
      end

      #: (Numeric) -> Float
      def density(z) = Math.exp(-z * z / 2.0) / Math.sqrt(2 * Math::PI)
    end

    # Student's t with `df` degrees of freedom.
    module StudentT
      module_function

      # Probability of a value above t, by P(T > t) = I_x(df/2, 1/2) / 2 with x = df / (df + t^2), t
      # >= 0 (Abramowitz and Stegun 26.7.1).
      #: (Numeric, Numeric) -> Float
      def upper(t, df)
        return 1 - upper(-t, df) if t.negative?

        Beta.regularized(df / (df + (t * t).to_f), df / 2.0, 0.5) / 2
      end

      # Probability that |T| is at least |t|: the p of a two-sided test.
      #: (Numeric, Numeric) -> Float
      def two_sided(t, df) = 2 * upper(t.abs, df)

      # The t with a share `tail` (at most 1/2) above it. The tail is convex to the right of 0, so
      # Newton's method approaches the root from the left and cannot overshoot; it starts at the
      # normal quantile, which is always left of the root.
      #: (Float, Numeric) -> Float
      def upper_quantile(tail, df)
        t = Normal.quantile(1 - tail)
        200.times do
          step = (upper(t, df) - tail) / density(t, df)
          t += step
          break if step.abs <= 1e-14 * t.abs
        end
        t
      end

      #: (Numeric, Numeric) -> Float
      def density(t, df)
        log = -Beta.log_beta(df / 2.0, 0.5) - ((df + 1) / 2.0 * Math.log(1 + (t * t / df.to_f)))
        Math.exp(log) / Math.sqrt(df)
      end
    end

    # Chi-square with `df` degrees of freedom.
    module ChiSquare
      module_function

      # Probability of a value above x (Abramowitz and Stegun 26.4.19).
      #: (Numeric, Numeric) -> Float
      def upper(x, df) = Gamma.upper(df / 2.0, x / 2.0)
    end

    # The ratio of two variances, Fisher's F, with `df` and `below` degrees of freedom.
    module VarianceRatio
      module_function

      # Probability of a larger ratio (Abramowitz and Stegun 26.6.2).
      #: (Float, Numeric, Numeric) -> Float
      def upper(ratio, df, below)
        Beta.regularized(below.fdiv(below + (df * ratio)), below / 2.0, df / 2.0)
      end
    end

    # The regularised incomplete beta function I_x(a, b), on which Student's t is based. By its
    # continued fraction, evaluated with Lentz's method (Press et al., Numerical Recipes, 3rd
    # edition, section 6.4; DLMF 8.17.22).
    module Beta
      TINY = 1e-300
      STEPS = 1000

      module_function

      #: (Float, Numeric, Numeric) -> Float
      def regularized(x, a, b)
        return 0.0 if x <= 0
        return 1.0 if x >= 1

        # The fraction converges fast on this side of the mean only; I_x(a, b) = 1 - I_1-x(b, a)
        # gives the other side.
        x > (a + 1).fdiv(a + b + 2) ? 1 - lower(1 - x, b, a) : lower(x, a, b)
      end

      #: (Numeric, Numeric) -> Float
      def log_beta(a, b) = Math.lgamma(a)[0] + Math.lgamma(b)[0] - Math.lgamma(a + b)[0]

      def lower(x, a, b)
        Math.exp((a * Math.log(x)) + (b * Math.log(1 - x)) - log_beta(a, b)) * fraction(x, a, b) / a
      end

      # Lentz: c and d are the ratios of neighbouring numerators and denominators.
      def fraction(x, a, b)
        c = 1.0
        d = 1 / away_from_zero(1 - ((a + b) * x / (a + 1)))
        value = d
        (1..STEPS).each do |m|
          before = value
          coefficients(x, a, b, m).each do |coefficient|
            d = 1 / away_from_zero(1 + (coefficient * d))
            c = away_from_zero(1 + (coefficient / c))
            value *= c * d
          end
          break if (value - before).abs <= Float::EPSILON * value.abs
        end
        value
      end

      # The even and the odd coefficient of step m (DLMF 8.17.23).
      def coefficients(x, a, b, m)
        [
          m * (b - m) * x / ((a + (2 * m) - 1) * (a + (2 * m))),
          -(a + m) * (a + b + m) * x / ((a + (2 * m)) * (a + (2 * m) + 1)),
        ]
      end

      def away_from_zero(value) = value.abs < TINY ? TINY : value

      private_class_method :lower, :fraction, :coefficients, :away_from_zero
    end

    # The regularised upper incomplete gamma function Q(a, x), on which chi-square is based: left of
    # a + 1 by the series of its lower counterpart (DLMF 8.11.4), to the right by its continued
    # fraction (DLMF 8.9.2, Lentz's method; Press et al., Numerical Recipes, 3rd edition, section
    # 6.2).
    module Gamma
      TINY = 1e-300
      STEPS = 100_000

      module_function

      #: (Numeric, Numeric) -> Float
      def upper(a, x)
        return 1.0 if x <= 0

        x = x.to_f
        front = Math.exp((a * Math.log(x)) - x - Math.lgamma(a)[0])
        x < a + 1 ? 1 - (front * series(a, x)) : front * fraction(a, x)
      end

      def series(a, x)
        sum = term = 1.0 / a
        (1..STEPS).each do |n|
          term *= x / (a + n)
          sum += term
          break if term <= sum * Float::EPSILON / 4
        end
        sum
      end

      # c and d are the ratios of neighbouring numerators and denominators. To the right of a + 1 no
      # denominator is 0.
      def fraction(a, x)
        bottom = x + 1 - a
        c = 1 / TINY
        value = d = 1 / bottom
        (1..STEPS).each do |n|
          top = -n * (n - a)
          bottom += 2
          d = 1 / (bottom + (top * d))
          c = bottom + (top / c)
          value *= c * d
          break if ((c * d) - 1).abs <= Float::EPSILON
        end
        value
      end

      private_class_method :series, :fraction
    end

    # Whether a series rises or falls. Counts the pairs in and out of order (Mann 1945, Kendall
    # 1975): only their order matters, so a few stalls cannot feign a trend.
    module Kendall
      module_function

      # The count, in standard deviations of the count of a series without a trend; positive if the
      # series rises. 0 for fewer than two values.
      #: (Array[Numeric]) -> Float
      def z(values)
        size = values.size
        return 0.0 if size < 2

        score = values.combination(2).sum { |earlier, later| later <=> earlier }
        score / sd(size)
      end

      # The standard deviation of the count of a series of this size without a trend.
      #: (Integer) -> Float
      def sd(size) = Math.sqrt(size * (size - 1) * ((2 * size) + 5) / 18.0)
    end

    # Slope of a line through points with a few large outliers (stalls): the median of the slopes of
    # all pairs (Theil 1950, Sen 1968). Tolerates up to 29 % of outliers.
    module TheilSen
      module_function

      # Slope per step of the index, or per unit of `positions`. Nil for fewer than two points.
      #: (Array[Numeric], ?Array[Numeric]) -> Float?
      def slope(values, positions = (0...values.size).to_a)
        slopes = slopes(values, positions)
        Center.median(slopes) if slopes.any?
      end

      # The least slope that Kendall's test does not reject at z standard deviations (Sen 1968):
      # that of all pairs at this rank. Nil if there are too few points to reject any.
      #: (Array[Numeric], Array[Numeric], z: Numeric) -> Float?
      def least(values, positions, z:)
        slopes = slopes(values, positions).sort
        rank = ((slopes.size - (z * Kendall.sd(values.size))) / 2).floor
        slopes[rank] unless rank.negative?
      end

      def slopes(values, positions)
        positions.zip(values).combination(2).filter_map do |(x1, y1), (x2, y2)|
          (y2 - y1) / (x2 - x1).to_f unless x1 == x2
        end
      end

      private_class_method :slopes
    end

    # The noise of one host in several comparisons: each comparison has a mean of its own, so their
    # sums of squared deviations add up, and so do their degrees of freedom (the pooled variance of
    # an analysis of variance). Assumes cohorts of one application with equal spread.
    class NoisePool < Struct.new(:squares, :freedom, keyword_init: true)
      # groups: the log differences of each comparison. A single cohort contributes nothing.
      #: (Array[Array[Float]]) -> Stats::NoisePool
      def self.of(groups)
        known = groups.select { |group| group.size > 1 }
        new(squares: known.sum(0.0) { |group| Spread.variance(group) * (group.size - 1) },
            freedom: known.sum { |group| group.size - 1 }).freeze
      end

      #: (Stats::NoisePool) -> Stats::NoisePool
      def +(other)
        self.class.new(squares: squares + other.squares, freedom: freedom + other.freedom).freeze
      end

      # The sd of one cohort; nil if nothing is known.
      #: () -> Float?
      def sd = freedom.zero? ? nil : Math.sqrt(squares / freedom)
    end

    # An estimate and its confidence interval: `value`, `low`, `high` (both nil for fewer than three
    # observations; `high` alone for a bound), and the `count` of observations that it is based on.
    class Interval < Struct.new(:value, :low, :high, :count, keyword_init: true)
      include Value

      # With two observations (one degree of freedom, t = 12.7) the interval says nothing useful;
      # the method's first look is at three.
      FEWEST = 3

      # The interval of a mean, by Student's t; for observations that are roughly normal.
      #: (Array[Numeric], ?level: Float) -> Stats::Interval
      def self.of(values, level: 0.95)
        return new(count: 0) if values.empty?

        mean = Center.mean(values)
        return new(value: mean, count: values.size) if values.size < FEWEST

        error = Spread.sd(values) / Math.sqrt(values.size)
        half = StudentT.upper_quantile((1 - level) / 2, values.size - 1) * error
        new(value: mean, low: mean - half, high: mean + half, count: values.size)
      end

      # The interval of a geometric mean: times and rates differ between boots by factors, so the
      # interval is computed on logarithms.
      #: (Array[Numeric], ?level: Float) -> Stats::Interval
      def self.of_positive(values, level: 0.95)
        of(values.map { |value| Math.log(value) }, level:).exp
      end

      # The same of values that the true ones may exceed: without a high end.
      #: () -> Stats::Interval
      def bound = self.class.new(value:, low:, high: nil, count:)

      # Are all of its values greater than the other one, or all less? False without ends.
      #: (Numeric) -> bool
      def excludes?(other) = (!low.nil? && low > other) || (!high.nil? && high < other)

      # Moves each end out by what its value may be off.
      #: (Float | Stats::Bias) -> Stats::Interval
      def widen(by)
        by = Bias.of(by)
        self.class.new(value:, low: low && (low - by.below), high: high && (high + by.above),
                       count:)
      end

      # The interval widened so that it contains the other one (nil: none).
      #: (Stats::Interval?) -> Stats::Interval
      def around(other)
        return self if other.nil? || low.nil? || other.low.nil?

        highs = [high, other.high]
        self.class.new(value:, low: [low, other.low].min, high: (highs.max if highs.all?), count:)
      end

      # Whether the intervals, of log ratios, show two variants to be equal: whether each lies
      # entirely within the margin. The interval of a trimmed metric and that of its total, if it
      # has one, both have to: trimming removes pauses because of what they measure. False for an
      # interval without ends.
      #: (Stats::Interval, total: Stats::Interval?, margin: Float) -> bool
      def self.equal?(interval, total:, margin:)
        [interval, total].compact.all? do |one|
          one.low && one.high && [one.low, one.high].map(&:abs).max < Margin.log(margin)
        end
      end

      # The inverse of the logarithm: the interval on the original scale.
      #: () -> Stats::Interval
      def exp = map { |number| Math.exp(number) }

      # Maps every number that is not nil.
      #: () { (Float) -> Float } -> Stats::Interval
      def map
        changed = [value, low, high].map { |number| number && yield(number) }
        self.class.new(value: changed[0], low: changed[1], high: changed[2], count:)
      end
    end

    # One metric value of one slice, on the scale used for all comparisons: a logarithm, better is
    # bigger. Nil if the slice lacks it (no response, no CPU clock).
    module Sample
      METRICS = {
        throughput_per_s: ->(slice) { [slice[:good], span_ns(slice)] },
        cpu_us_per_request: ->(slice) { [slice[:good], slice[:cpu_ns]] },
        latency_p50_ms: ->(slice) { [1, slice[:p50_ns]] },
      }.freeze

      module_function

      # The time that the correct responses take at the rate of the load (Load::StepResult); of a
      # driver that doesn't know it, the whole time.
      #: (Store::Slice | Load::StepResult | Hash[Symbol, untyped]) -> Integer?
      def span_ns(slice) = slice[:span_ns] || slice[:wall_ns]

      # The value at the mean speed of the cores, if CoreSpeed has given the correction.
      #: (Store::Slice | Hash[Symbol, untyped], Symbol) -> Float?
      def log(slice, metric)
        measured = measured(slice, metric)
        measured && (measured + (slice.dig(:at_pace, metric) || 0))
      end

      # As #log, but the worst value of all (-Infinity) for a slice without a correct response, and
      # for the median latency if the median request had none: that is not a missing value. Nil if
      # there are correct responses but the metric is missing.
      #: (Store::Slice | Hash[Symbol, untyped], Symbol) -> Float?
      def ranked(slice, metric)
        good = slice[:good].to_i
        endless = metric == :latency_p50_ms && 2 * good < slice[:sent].to_i
        good.zero? || endless ? -Float::INFINITY : log(slice, metric)
      end

      # The parts of these metrics' quotients add up over slices; a median doesn't.
      TOTALLED = %i[throughput_per_s cpu_us_per_request].freeze

      # As #log, for all slices together, so that none is left out; nil without a correct response,
      # and for a metric that has no total.
      #: (Array[Store::Slice | Hash[Symbol, untyped]], Symbol) -> Float?
      def total(slices, metric)
        return unless TOTALLED.include?(metric)

        gained = spent = 0.0
        slices.each do |slice|
          good, cost = METRICS.fetch(metric).call(slice)
          next unless cost

          gained += good.to_i
          spent += cost * Math.exp(-(slice.dig(:at_pace, metric) || 0))
        end
        Math.log(gained / spent) if gained.positive? && spent.positive?
      end

      # The value as measured. slice: as the store returns it: good, span_ns, cpu_ns of the whole
      # process tree, p50_ns.
      #: (Store::Slice | Hash[Symbol, untyped], Symbol) -> Float?
      def measured(slice, metric)
        gained, spent = METRICS.fetch(metric).call(slice)
        Math.log(gained.to_f / spent) if gained.to_i.positive? && spent.to_i.positive?
      end
    end

    # Quantiles of one sample, with the interval given by its order statistics: free of any
    # assumption about the distribution, but valid only for independent observations, so only within
    # one boot.
    module Quantile
      module_function

      # Type 7 of Hyndman and Fan (1996), the default of R, NumPy and Excel: linear between the
      # order statistics around (n - 1) p. `sorted` must be sorted.
      #: (Array[Numeric], Numeric) -> Float
      def type7(sorted, p)
        position = (sorted.size - 1) * p
        below = position.floor
        above = [below + 1, sorted.size - 1].min
        sorted[below] + ((position - below) * (sorted[above] - sorted[below]))
      end

      # Ranks (from 1) whose order statistics enclose the quantile with a confidence of 95 %: np -+
      # z sqrt(np(1-p)), rounded outwards (Conover, Practical Nonparametric Statistics, section
      # 3.2). An end outside the sample is nil: it has no bound.
      #: (Integer, Numeric) -> [Integer?, Integer?]
      def ranks(n, p)
        reach = Normal.quantile(0.975) * Math.sqrt(n * p * (1 - p))
        low = ((n * p) - reach).floor
        high = ((n * p) + reach).ceil
        [low < 1 ? nil : low, high > n ? nil : high]
      end
    end
  end
end
