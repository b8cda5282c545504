# frozen_string_literal: true

module Mohs
  module Stats
    # Ratio of B to A over cohorts, better is bigger, from one log difference per cohort (method,
    # section 4). Boots differ, and slices of one boot cannot average that away, so the cohort is
    # the unit: its blocks make one number, and only the cohorts' spread makes the interval.
    class Effect < Struct.new(:differences, keyword_init: true)
      # Log difference B - A of one cohort: per block the difference of the means over its slices (A
      # and B stand in mirrored order, so drift cancels), then the 20 %-trimmed mean of the blocks.
      # Nil if no block has both. a, b: the measured slices of the two trials, each with its
      # :block.
      #: (Array[Store::Slice | Hash[Symbol, untyped]], Array[Store::Slice | Hash[Symbol, untyped]], Symbol) -> Float?
      def self.difference(a, b, metric)
        blocks = block_differences(a, b, metric)
        Center.trimmed_mean(blocks.values) if blocks.any?
      end

      # { block => log difference }, for the blocks that have both.
      #: (Array[Store::Slice | Hash[Symbol, untyped]], Array[Store::Slice | Hash[Symbol, untyped]], Symbol) -> Hash[Integer, Float]
      def self.block_differences(a, b, metric)
        left = block_means(a, metric)
        right = block_means(b, metric)
        (left.keys & right.keys).to_h { |block| [block, right[block] - left[block]] }
      end

      def self.block_means(slices, metric)
        slices.group_by { |slice| slice[:block] }.filter_map do |block, members|
          values = members.map { |slice| Sample.log(slice, metric) }
          [block, Center.mean(values)] if values.all?
        end.to_h
      end
      private_class_method :block_means

      #: (Array[Float?]) -> void
      def initialize(differences)
        super(differences: differences.compact.freeze)
        freeze
      end

      #: () -> Integer
      def count = differences.size

      # Nil without any cohort.
      #: () -> Float?
      def ratio = count.zero? ? nil : Math.exp(Center.mean(differences))

      # Chance of a mean this far from 0 if there were no difference; nil for fewer than two
      # cohorts.
      #: () -> Float?
      def p
        return if count < 2

        error = Spread.sd(differences) / Math.sqrt(count)
        mean = Center.mean(differences)
        return mean.zero? ? 1.0 : 0.0 if error.zero?

        StudentT.two_sided(mean / error, count - 1)
      end

      # Of the ratio. `alpha`: chance that it misses.
      #: (?alpha: Float) -> Stats::Interval
      def interval(alpha: 0.05) = Interval.of(differences, level: 1 - alpha).exp

      # The same, A and B exchanged.
      #: () -> Stats::Effect
      def reverse = self.class.new(differences.map(&:-@))
    end
  end
end
