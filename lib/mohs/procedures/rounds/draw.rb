# frozen_string_literal: true

module Mohs
  module Rounds
    # Draws the cohorts of one round. The baseline is in each of them, since only servers that run
    # simultaneously can be compared.
    class Draw
      # With more candidates each slice would be too far from its mirror for drift to cancel.
      CANDIDATES = 4

      #: (baseline: Study::Variant, candidates: Array[Study::Variant], random: Random) -> void
      def initialize(baseline:, candidates:, random:)
        @baseline = baseline
        @slow, @fast = candidates.partition(&:lingers?)
        @random = random
      end

      # Groups of variants in random order: variants that are warm in a second, and groups with one
      # variant that compiles for longer.
      #: () -> { quick: Array[Array[Study::Variant]], slow: Array[Array[Study::Variant]] }
      def groups
        quick = Plan::CohortSpec.even_parts(@fast.shuffle(random: @random), most: CANDIDATES)
        quick = [[]] if @slow.empty? && quick.empty?
        slow = @slow.shuffle(random: @random).map { |variant| [variant] }
        { quick:, slow: }.transform_values do |parts|
          parts.map { |candidates| [@baseline, *candidates].shuffle(random: @random) }
        end
      end
    end
  end
end
