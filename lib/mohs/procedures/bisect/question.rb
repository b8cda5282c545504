# frozen_string_literal: true

module Mohs
  module Bisect
    # What a step of a bisection asks of its two points: as `mohs compare` does, which is faster.
    # `bisection` is what the step is part of: its `kind` (ends, search or confirm), its `number`
    # from 1, and the names of the bisection's `good` and `bad` end.
    class Question < Compare::Question
      STORED = PART_OF = %i[bisection].freeze

      class << self
        #: (Hash[Symbol, untyped]) -> bool
        def of?(study) = !compared(study)[:bisection].nil? && !SideQuestion.of?(study)

        #: (Hash[Symbol, untyped]) -> Bisect::Question
        def stored(study) = new(compared(study).fetch(:bisection))
      end

      #: (Hash[Symbol, String | Integer]?) -> void
      def initialize(bisection)
        super()
        @bisection = bisection
        freeze
      end

      #: () -> Hash[Symbol, untyped]
      def to_h = facts

      #: () -> Hash[Symbol, untyped]
      def facts = { bisection: @bisection }

      #: () -> String
      def command = "bisect"

      #: () -> Class
      def headline = StepHeadline
    end
  end
end
