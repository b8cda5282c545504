# frozen_string_literal: true

module Mohs
  class Plan
    # Draws the cohorts of one round: the baseline stands in each of them, since only what is alive
    # at the same time can be compared.
    class Round
      # More would leave each slice too far from its mirror for drift to cancel.
      CANDIDATES = 4

      #: (baseline: Study::Variant, candidates: Array[Study::Variant], random: Random) -> void
      def initialize(baseline:, candidates:, random:)
        @baseline = baseline
        @slow, @fast = candidates.partition(&:slow?)
        @random = random
      end

      # Groups of variants in random order: those that boot in a second, and those with one that
      # takes a minute.
      #: () -> { quick: Array[Array[Study::Variant]], slow: Array[Array[Study::Variant]] }
      def groups
        quick = even_parts(@fast.shuffle(random: @random))
        quick = [[]] if @slow.empty? && quick.empty?
        slow = @slow.shuffle(random: @random).map { |variant| [variant] }
        { quick:, slow: }.transform_values do |parts|
          parts.map { |candidates| [@baseline, *candidates].shuffle(random: @random) }
        end
      end

      private

      # Nearly equal parts: a variant left over alone would cost a whole baseline more.
      def even_parts(variants)
        count = (variants.size / CANDIDATES.to_f).ceil
        parts = variants.each_with_index.group_by { |_, index| index % count }.values
        parts.map { |part| part.map(&:first) }
      end
    end
  end
end
