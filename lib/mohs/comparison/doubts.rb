# frozen_string_literal: true

module Mohs
  class Comparison
    # What speaks against the figures of a comparison, beyond what each trial's own checks say.
    # Pure; each member is #call(comparison) -> Doubt | nil.
    module Doubts
      # `fatal`: no verdict can come of it.
      Doubt = Struct.new(:text, :fatal, keyword_init: true)

      # The chance that a doubt of this kind is raised by chance alone.
      ALPHA = Verdict::ALPHA / 5

      # Fewer cohorts, or slices, tell nothing of this kind from chance.
      FEWEST = 3

      module_function

      #: (Comparison) -> Array[Comparison::Doubts::Doubt]
      def call(comparison)
        members = [Answers, Growth, Unsteady, Pauses, Halves, Dilution, Contention, Beyond]
        members.filter_map { |member| member.call(comparison) }
      end

      # An interval of values, one for each cohort, that leaves out 0; nil where it doesn't, or is
      # not known. Doubts are asked for after each cohort, so it is a test that may be looked at
      # again and again, at a fifth of the verdict's own chance to be wrong.
      #: (Array[Float]) -> Stats::Interval?
      def certain(values)
        interval = Stats::Sequential.new(alpha: ALPHA).interval(values)
        interval if interval.low && (interval.low * interval.high).positive?
      end
    end
  end
end
