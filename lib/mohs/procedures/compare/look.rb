# frozen_string_literal: true

module Mohs
  module Compare
    # What the cohorts up to one look showed, and what was decided: a function of these cohorts
    # and of the look before. Later cohorts change neither their differences nor the slopes by
    # which these are adjusted. A decision is final.
    class Look
      # cohorts: those that count, as measured, up to this look. cut: turns Store::Cohorts into
      # Pairs. test: of the differences; nil if nobody asks how large the difference is
      # (Question#effect?): then it is always adjusted. decide: called with the differences, their
      # bias and their totals.
      # kept: what the store has of this look, so that it stays the same if a later mohs adjusts
      # or decides differently. before: the look before.
      #: (Array[Store::Cohort], metric: Analysis::Metric, cut: Proc, test: Stats::Sequential?, decide: untyped, ?kept: Hash[Symbol, untyped]?, ?before: Compare::Look?) -> void
      def initialize(cohorts, metric:, cut:, test:, decide:, kept: nil, before: nil)
        @cohorts = cohorts
        @metric = metric
        @cut = cut
        @test = test
        @decide = decide
        @kept = kept
        @before = before
      end

      #: () -> Integer
      def count = differences.size

      # The id of the cohort after which the look was made.
      #: () -> Integer
      def cohort_id = @cohorts.last.id

      # The position of this cohort.
      #: () -> Integer
      def position = @cohorts.last.position

      #: () -> bool
      def kept? = !@kept.nil?

      # Differences in the deciding metric.
      #: () -> Array[Float]
      def differences
        @differences ||= @kept ? @kept[:differences] : of(@metric)
      end

      # How far the differences of a metric may be off, whatever their number.
      #: (?Analysis::Metric) -> Stats::Bias
      def bias(metric = @metric) = Stats::Bias.of(adjustment_bias(metric)) + own_bias(metric)

      # The same without the adjustment.
      #: (?Analysis::Metric) -> Stats::Bias
      def own_bias(metric = @metric) = taken(metric) + unwarmed(metric)

      # The part that is due to the adjustment, to both sides.
      #: (?Analysis::Metric) -> Float
      def adjustment_bias(metric = @metric)
        return 0.0 if @test.nil?
        return @kept.fetch(:bias) if @kept && metric == @metric

        adjustment.bias(metric.key)
      end

      # The part that is due to a server that worked while the other was measured: if B did, A was
      # slowed, and B's lead may be smaller.
      #: (?Analysis::Metric) -> Stats::Bias
      def taken(metric = @metric) = beside(metric, @kept&.fetch(:taken)) { idle_sides }

      # The part that is due to a server that may still get faster: if A may, B's lead may become
      # smaller.
      #: (?Analysis::Metric) -> Stats::Bias
      def unwarmed(metric = @metric)
        beside(metric, @kept&.fetch(:unwarmed, [0.0, 0.0])) { unwarmed_sides }
      end

      # Which of the two may still get faster, if that widens the interval of the deciding metric
      # by more than a margin, a logarithm.
      #: (Float) -> Array[Analysis::Finding]
      def may_rise(margin)
        { "A" => unwarmed.below, "B" => unwarmed.above }.filter_map do |side, bias|
          Analysis::Unwarmed.widened(@metric.key, side, bias, margin)
        end
      end

      # Log differences B - A of any metric, better is bigger.
      #: (Analysis::Metric) -> Array[Float]
      def of(metric) = pairs.filter_map { |pair| pair.difference(metric) }

      # The differences of the totals, of the same cohorts; nil for a metric without totals, and
      # without a test.
      #: (?Analysis::Metric) -> Array[Float]?
      def totals(metric = @metric)
        return if @test.nil?
        return @kept.fetch(:totals) if @kept && metric == @metric

        counted = pairs.select { |pair| pair.difference(metric) }
        totals = counted.map { |pair| pair.total_difference(metric) }
        totals if totals.all?
      end

      # The differences as measured, before the adjustment.
      #: (Analysis::Metric) -> Array[Float]
      def raw(metric)
        measured.filter_map { |pair| pair.difference(metric) }
      end

      # What speaks against any result in a metric: the first side that took all that the other
      # could have, or may still gain; nil if neither did.
      #: (Analysis::Metric) -> Analysis::Finding?
      def ruled_out(metric)
        [idle_sides, unwarmed_sides].each do |a, b|
          found = a.ruling_out(metric.key, b, subject: "A") ||
                  b.ruling_out(metric.key, a, subject: "B")
          return found if found
        end
        nil
      end

      # As Result#decided.
      #: () -> Symbol
      def decision
        @decision ||= if @before&.decided? then @before.decision
                      elsif @kept then @kept.fetch(:decision).to_sym
                      else @decide.call(differences, bias:, totals:)
                      end
      end

      #: () -> bool
      def decided? = decision != :continue

      # Its cohorts, adjusted to the mean speed of the cores.
      #: () -> Array[Compare::Pair]
      def pairs = @pairs ||= @cut.call(adjustment.even(@cohorts))

      # Chosen by the deciding metric, or by throughput if slices don't have that metric; without a
      # test, differences are always adjusted.
      #: () -> Analysis::SpeedAdjustment
      def adjustment
        @adjustment ||= if @test.nil? then Analysis::SpeedAdjustment.new(@cohorts)
                        else Analysis::SpeedAdjustment.where_worth(@cohorts, of_slices, bound:)
                        end
      end

      # What the store keeps of this look.
      #: () -> { cohorts: Integer, differences: Array[Float], totals: Array[Float]?, bias: Float, taken: [Float, Float], unwarmed: [Float, Float], decision: String }
      def to_h
        { cohorts: count, differences:, totals:, bias: adjustment_bias,
          taken: [taken.below, taken.above], unwarmed: [unwarmed.below, unwarmed.above],
          decision: decision.to_s }
      end

      private

      def measured = @measured ||= @cut.call(@cohorts)

      # How far the differences of a metric may be off by what each side, which the block returns,
      # looks better beside the other. kept: [below, above] of the deciding metric, or nil.
      def beside(metric, kept)
        return Stats::Bias.new(below: kept.first, above: kept.last) if kept && metric == @metric

        a, b = yield
        Stats::Bias.of_lead(metric.key, b, a)
      end

      # What A and B did while the other was measured.
      def idle_sides = @idle_sides ||= both(Analysis::IdleActivity)

      # By how much A and B may still get faster.
      def unwarmed_sides = @unwarmed_sides ||= both(Analysis::Unwarmed)

      def both(kind) = %i[a b].map { |side| kind.of(measured.flat_map(&side)) }

      # Not for the number of differences that count: which of them a metric lacks is not known
      # yet.
      def bound = @test.bound([@cohorts.size, 2].max)

      def of_slices
        Analysis::Metric::OF_SLICES.include?(@metric.key) ? @metric.key : Analysis::Effects::METRIC
      end
    end
  end
end
