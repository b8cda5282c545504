# frozen_string_literal: true

module Mohs
  module Repro
    # What one size of a study would measure here: `testable`, the number of claims; `estimate_s`,
    # the seconds that it takes (nil: nothing can be measured, or it is not known); `assumed`,
    # whether that rests on defaults since variants were not measured here yet.
    class Estimate < Struct.new(:testable, :estimate_s, :assumed, keyword_init: true)
      include Value

      #: (testable: Integer, ?estimate_s: Numeric?, ?assumed: bool) -> void
      def initialize(testable:, estimate_s: nil, assumed: false) = super
    end
  end
end
