# frozen_string_literal: true

module Mohs
  module Stats
    class Usl
      # The law of several boots, each of which visited the levels. `fit`: the law of all (nil where
      # there is none), `share`: of the bootstrap's replicates, with a peak; `peak`:
      # Stats::Interval of the peak where that share is at least 95 %, else nil: "no peak seen up to
      # `highest`", the highest level visited. Few boots tell little: simulated with five, a peak's
      # 95 % interval covers it in some 82 % (ten: 90 %), and where there is none, one is named in
      # 10 %, all of them beyond?.
      class Curve < Struct.new(:fit, :share, :peak, :highest, keyword_init: true)
        # A smaller share says that the throughput's fall may be noise (method, section 5).
        ENOUGH = 0.95
        REPLICATES = 1000

        # boots: of each its points, as Usl.fit takes them. The boot is drawn, not the point: the
        # points of one boot err together.
        #: (Array[Array[[Numeric, Numeric]]], random: Random, ?level: Float, ?replicates: Integer) -> Stats::Usl::Curve
        def self.of(boots, random:, level: 0.95, replicates: REPLICATES)
          highest = boots.flatten(1).map(&:first).max
          fit = Usl.fit(boots.flatten(1))
          return new(fit:, highest:) if fit.nil? || boots.size < Interval::FEWEST

          peaks = Array.new(replicates) { redrawn(boots, random)&.peak }
          share = peaks.count(&:itself).fdiv(replicates)
          peak = interval(fit, peaks.compact.sort, level, boots.size) if share >= ENOUGH
          new(fit:, share:, peak:, highest:)
        end

        # One boot fewer than there are, which makes the replicates spread as the variance with
        # n - 1 in the denominator says (Rao and Wu, J. Am. Stat. Assoc. 83, 1988): with the five
        # boots that one has, n falls short by a fifth.
        def self.redrawn(boots, random)
          Usl.fit(Bootstrap.draw(boots, random, boots.size - 1).flatten(1))
        end

        def self.interval(fit, peaks, level, count)
          low, high = [(1 - level) / 2, (1 + level) / 2].map { |p| Quantile.type7(peaks, p) }
          Interval.new(value: fit.peak, low:, high:, count:)
        end
        private_class_method :redrawn, :interval

        #: (fit: Stats::Usl?, highest: Numeric?, ?share: Float?, ?peak: Stats::Interval?) -> void
        def initialize(**values)
          super
          freeze
        end

        # The peak lies where nothing was measured: it is the law's guess, and was not seen.
        #: () -> bool
        def beyond? = !peak&.value.nil? && peak.value > highest
      end
    end
  end
end
