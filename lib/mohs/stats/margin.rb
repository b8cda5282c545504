# frozen_string_literal: true

module Mohs
  module Stats
    # The difference that matters. It is typed, stored and passed on as a share (0.01 = 1 %), of
    # either of two sides over the other: b / a and a / b have the same margin. What it is as a
    # ratio, or on the scale of differences, follows from that here alone.
    module Margin
      module_function

      # As a log difference.
      #: (Float) -> Float
      def log(share) = Math.log(1 + share)

      # The ratios between which a difference doesn't matter.
      #: (Float) -> [Float, Float]
      def ratios(share) = [1 / (1 + share), 1 + share]
    end
  end
end
