# frozen_string_literal: true

module Mohs
  module Cohort
    # How many servers of each variant a duet has. Two of them average what boots differ by, and
    # stay where they are; but where booting and warming them takes longer than measuring, one of
    # each that change halves make nearly two cohorts of the same time: for the same variance a
    # second the interval after six cohorts is half as wide as after three (Stats::Sequential).
    # Cohorts of either kind may stand in one test: differences of unequal variance make a t test
    # wrong less often, not more (Benjamini 1983, "Is the t test really conservative when the parent
    # distribution is long-tailed?").
    module Launcher
      BOTH = 2

      # Seconds of boot and warm-up: as long as a duet measures a slow application.
      LONG_S = 4

      module_function

      # seconds: of boot and warm-up, of each variant whose are known. Where none are, one: it tells
      # soonest.
      #: (Array[Numeric]) -> Integer
      def of_each(seconds) = seconds.empty? || seconds.max > LONG_S ? 1 : BOTH
    end
  end
end
