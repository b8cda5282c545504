# frozen_string_literal: true

module Mohs
  module Analysis
    # What speaks against the figures of a comparison, beyond what each trial's own checks say.
    # Each member is #call(comparison) -> Finding | nil; a fatal one allows no verdict.
    module Warnings
      # The chance that a warning of this kind is raised by chance alone.
      ALPHA = Verdict::ALPHA / 5

      # Fewer cohorts, or slices, tell nothing of this kind from chance.
      FEWEST = 3

      module_function

      #: (Analysis::Comparison) -> Array[Analysis::Finding]
      def call(comparison)
        members = [Answers, Growth, Unsteady, Pauses, Halves, Dilution, Contention, Beyond]
        members.filter_map { |member| member.call(comparison) }
      end

      # Of values, one for each cohort. Warnings are asked for after each cohort, so it is a test
      # that may be looked at again and again, at a fifth of the verdict's own chance to be wrong.
      #: (Array[Float]) -> Stats::Interval
      def interval(values) = Stats::Sequential.new(alpha: ALPHA).interval(values)

      # The same if it leaves out 0; nil if it doesn't, or is not known.
      #: (Array[Float]) -> Stats::Interval?
      def certain(values)
        interval = interval(values)
        interval if interval.low && (interval.low * interval.high).positive?
      end
    end
  end
end
