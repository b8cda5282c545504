# frozen_string_literal: true

module Mohs
  module Stats
    # The Universal Scalability Law, throughput at concurrency N (Gunther, Guerrilla Capacity
    # Planning, 2007, chapter 5):
    #
    #     X(N) = gain N / (1 + contention (N - 1) + coherency N (N - 1))
    #
    # gain: throughput of one alone, per second. contention and coherency may be below 0 if the data
    # show none.
    class Usl < Struct.new(:gain, :contention, :coherency, keyword_init: true)
      # Throughput `x` seen at concurrency `n`.
      class Point < Struct.new(:n, :x, :weight)
        #: () -> bool
        def any? = x.positive?

        # Concurrency per throughput, of which the law makes a parabola in N.
        #: () -> Float
        def cost = n / x.to_f

        #: () -> [Numeric, Numeric, Numeric]
        def basis = [1, n - 1, n * (n - 1)]

        # The cost by the law with these terms.
        #: ([Float, Float, Float]) -> Float
        def at(terms) = terms[0] + (terms[1] * (n - 1)) + (terms[2] * n * (n - 1))
      end

      STEPS = 100
      CLOSE = 1e-10

      class << self
        # The law closest to [[N, X], ..] or [[N, X, weight], ..] by weighted least squares on ln X:
        # throughput errs by factors. A weight is the inverse of the variance of ln X, up to a
        # factor. Levels without throughput are left out. Nil for fewer than three levels, or if
        # throughput does not follow such a law.
        #: (Array[[Numeric, Numeric] | [Numeric, Numeric, Numeric]]) -> Stats::Usl?
        def fit(points)
          points = points.map { |n, x, weight| Point.new(n, x, weight || 1) }.select(&:any?)
          return if points.map(&:n).uniq.size < 3

          terms = refine(points, start(points))
          return unless terms && terms[0].positive?

          new(gain: 1 / terms[0], contention: terms[1] / terms[0], coherency: terms[2] / terms[0])
        end

        private

        # N / X = u + v (N - 1) + w N (N - 1) is linear in u = 1 / gain, v = contention / gain, w =
        # coherency / gain; by the delta method its weights are those of ln X times (X / N)^2.
        def start(points)
          terms = solve(points) { |point| [point.cost, point.weight / (point.cost**2)] }
          return terms if terms && loss(points, terms).finite?

          [Center.mean(points.map(&:cost)), 0.0, 0.0]
        end

        # Gauss-Newton on ln X, each step halved until it improves the fit. In u, v and w, which
        # stay finite where gain does not.
        def refine(points, terms)
          STEPS.times do
            step = newton(points, terms) or return
            better = (0..40).lazy.map { |halved| along(terms, step, 0.5**halved) }
              .find { |candidate| loss(points, candidate) < loss(points, terms) }
            return terms unless better

            terms, before = better, terms
            break if loss(points, before) - loss(points, terms) <= CLOSE * loss(points, before)
          end
          terms
        end

        def along(terms, step, share)
          terms.zip(step).map { |term, change| term + (share * change) }
        end

        # ln(cost by the law) changes by a term's basis divided by that cost.
        def newton(points, terms)
          solve(points) do |point|
            cost = point.at(terms)
            [cost * Math.log(point.cost / cost), point.weight / (cost**2)]
          end
        end

        # Fits terms to the value and weight that the block returns for each point.
        def solve(points)
          LeastSquares.solve(points.map { |point| [point.basis, *yield(point)] })
        end

        # Infinite if the terms make a throughput negative.
        def loss(points, terms)
          points.sum do |point|
            cost = point.at(terms)
            return Float::INFINITY unless cost.positive?

            point.weight * (Math.log(point.cost / cost)**2)
          end
        end
      end

      #: (**Numeric) -> void
      def initialize(**values)
        super
        freeze
      end

      # Throughput at concurrency `n`.
      #: (Numeric) -> Float
      def at(n) = gain * n / (1 + (contention * (n - 1)) + (coherency * n * (n - 1)))

      # The concurrency with the highest throughput, sqrt((1 - contention) / coherency), at least 1.
      # Nil if coherency is not above 0: throughput then has no peak.
      #: () -> Float?
      def peak
        [Math.sqrt([1 - contention, 0].max / coherency), 1.0].max if coherency.positive?
      end

      # The law of several boots, each of which visited the levels. fit: the law of all boots (nil
      # if there is none). share: of the bootstrap's replicates that have a peak. peak:
      # Stats::Interval of the peak if that share is at least 95 %, else nil: "no peak seen up to
      # `highest`", the highest level visited. Few boots tell little: simulated with five, a peak's
      # 95 % interval covers it in about 82 % (ten: 90 %), and if there is no peak, one is named in
      # 10 %, all of them beyond?. contention, coherency: those of the fit as intervals, nil if
      # there is no law. Their ends are as far out as the replicates spread, by Student's t with the
      # number of boots: 92 to 97 % of such intervals hold from three boots on, while the
      # percentiles of the replicates themselves reach 70 to 80 % (simulated, docs/method.md).
      class Curve < Struct.new(:fit, :share, :peak, :highest, :contention, :coherency,
                               keyword_init: true)
        # With a smaller share, the fall of the throughput may be noise (method, section 5).
        ENOUGH = 0.95
        REPLICATES = 1000

        # boots: the points of each boot, as Usl.fit takes them. Boots are resampled, not points:
        # the points of one boot err together.
        #: (Array[Array[[Numeric, Numeric]]], random: Random, ?level: Float, ?replicates: Integer) -> Stats::Usl::Curve
        def self.of(boots, random:, level: 0.95, replicates: REPLICATES)
          highest = boots.flatten(1).map(&:first).max
          fit = Usl.fit(boots.flatten(1))
          return new(fit:, highest:) if fit.nil?

          count = boots.size
          return new(fit:, highest:, **terms(fit, [], level, count)) if count < Interval::FEWEST

          laws = Array.new(replicates) { redrawn(boots, random) }
          peaks = laws.map { |law| law&.peak }
          share = peaks.count(&:itself).fdiv(replicates)
          peak = interval(fit, peaks.compact.sort, level, count) if share >= ENOUGH
          new(fit:, share:, peak:, highest:, **terms(fit, laws.compact, level, count))
        end

        # Draws one boot fewer than there are, so that the replicates spread as the variance with n
        # - 1 in the denominator says (Rao and Wu, J. Am. Stat. Assoc. 83, 1988): with the usual
        # five boots, drawing n falls short by a fifth.
        def self.redrawn(boots, random)
          Usl.fit(Array.new(boots.size - 1) { boots[random.rand(boots.size)] }.flatten(1))
        end

        def self.interval(fit, peaks, level, count)
          low, high = [(1 - level) / 2, (1 + level) / 2].map { |p| Quantile.type7(peaks, p) }
          Interval.new(value: fit.peak, low:, high:, count:)
        end

        def self.terms(fit, laws, level, count)
          %i[contention coherency].to_h do |term|
            value = fit[term]
            half = half_width(laws.map(&term), level, count) if laws.size > 1
            [term, Interval.new(value:, low: half && (value - half), high: half && (value + half),
                                count:)]
          end
        end

        def self.half_width(values, level, count)
          StudentT.upper_quantile((1 - level) / 2, count - 1) * Spread.sd(values)
        end
        private_class_method :redrawn, :interval, :terms, :half_width

        #: (fit: Stats::Usl?, highest: Numeric?, ?share: Float?, ?peak: Stats::Interval?, ?contention: Stats::Interval?, ?coherency: Stats::Interval?) -> void
        def initialize(**values)
          super
          freeze
        end

        # Whether the peak lies beyond what was measured: it is extrapolated, not observed.
        #: () -> bool
        def beyond? = !peak&.value.nil? && peak.value > highest
      end
    end
  end
end
