# frozen_string_literal: true

module Mohs
  module Bisect
    # What a search step of a bisection asks: which end the candidate resembles. It has looks and a
    # test of its own (SideTest), which asks for no interval, and goes on in spite of
    # warnings, which a busy host raises; the comparisons of the ends and of what was found do not.
    class SideQuestion < Question
      STORED = %i[bisection step].freeze

      class << self
        #: (Hash[Symbol, untyped]) -> bool
        def of?(study) = !compared(study)[:step].nil?

        #: (Hash[Symbol, untyped]) -> Bisect::SideQuestion
        def stored(study) = new(*compared(study).values_at(*STORED))
      end

      # sides: the arguments of SideTest.
      #: (Hash[Symbol, String | Integer]?, { difference: Float, noise: Hash[Symbol, Numeric], alpha: Float, ?bias_of_difference: Hash[Symbol, Float] }) -> void
      def initialize(bisection, sides)
        @sides = sides
        super(bisection)
      end

      #: () -> Hash[Symbol, untyped]
      def to_h = { **super, step: @sides }

      #: () -> Array[Integer]
      def looks = SideTest::LOOKS

      #: () -> bool
      def effect? = false

      # Totals don't count, nor does what an adjustment may be off by: both ends are adjusted alike.
      #: (Stats::Sequential?, Compare::Rules, last: bool) -> untyped
      def decision(*, **)
        test = SideTest.new(**@sides)
        ->(differences, bias: 0.0, **) { test.call(differences, bias:) }
      end
    end
  end
end
