# frozen_string_literal: true

module Mohs
  module Analysis
    class Comparison
      # What was seen of the cohorts up to one look, and decided: a function of these alone, and of
      # the look before. Cohorts that come later change neither their differences nor the slopes
      # that these are adjusted by. A decision stays.
      class Look
        # cohorts: those that count, as measured, up to this look. cut: turns Store::Cohorts into
        # Pairs. decide: of the differences. kept: what the store has of this look, so that it stays
        # what it was if a later mohs adjusts or decides otherwise. before: the look before.
        #: (Array[Store::Cohort], metric: Analysis::Metric, cut: Proc, decide: untyped, ?kept: Hash[Symbol, untyped]?, ?before: Analysis::Comparison::Look?) -> void
        def initialize(cohorts, metric:, cut:, decide:, kept: nil, before: nil)
          @cohorts = cohorts
          @metric = metric
          @cut = cut
          @decide = decide
          @kept = kept
          @before = before
        end

        #: () -> Integer
        def count = differences.size

        # The cohort after which it was made.
        #: () -> Integer
        def cohort_id = @cohorts.last.id

        # That of this cohort.
        #: () -> Integer
        def position = @cohorts.last.position

        #: () -> bool
        def kept? = !@kept.nil?

        # Of the deciding metric.
        #: () -> Array[Float]
        def differences
          @differences ||= @kept ? @kept[:differences] : of(@metric)
        end

        # Log differences B - A of any metric, better is bigger.
        #: (Analysis::Metric) -> Array[Float]
        def of(metric) = pairs.filter_map { |pair| pair.difference(metric) }

        # The same as measured, before the adjustment.
        #: (Analysis::Metric) -> Array[Float]
        def raw(metric)
          @raw ||= @cut.call(@cohorts)
          @raw.filter_map { |pair| pair.difference(metric) }
        end

        # As Comparison#decided.
        #: () -> Symbol
        def decision
          @decision ||= if @before&.decided? then @before.decision
                        else @kept&.fetch(:decision)&.to_sym || @decide.call(differences)
                        end
        end

        #: () -> bool
        def decided? = decision != :continue

        # Its cohorts at the mean speed of the cores.
        #: () -> Array[Analysis::Comparison::Pair]
        def pairs = @pairs ||= @cut.call(adjustment.even)

        #: () -> Analysis::SpeedAdjustment
        def adjustment = @adjustment ||= SpeedAdjustment.new(@cohorts)

        # What the store keeps of it.
        #: () -> { cohorts: Integer, differences: Array[Float], decision: String }
        def to_h = { cohorts: count, differences:, decision: decision.to_s }
      end
    end
  end
end
