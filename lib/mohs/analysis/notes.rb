# frozen_string_literal: true

module Mohs
  module Analysis
    # Notes on the servers' own set-up, as their trials have them: findings.
    module Notes
      # Bytes a request from which on a server logs each request: that takes some hundred bytes; a
      # server that doesn't writes a few lines in all.
      CHATTER_BYTES = 20

      CHATTER = "chatter"

      # Variants that log about the same amount differ by no more than this share.
      ALIKE = 0.05

      # Most variants that have a line each.
      FEW = 3

      POOL = "pool_too_small"

      module_function

      # The notes worth a line, each once.
      #: (Array[Store::Trial]) -> Array[Analysis::Finding]
      def call(trials)
        found = trials.flat_map(&:notes).map { |row| Finding.note(row[:code], **row[:values]) }
        chatter, others = found.partition { |finding| finding.code == CHATTER }
        pools, others = others.uniq.partition { |finding| finding.code == POOL }
        [*others, *smallest(pools), *loud(chatter, trials.map(&:variant).uniq)]
      end

      # Of each pool the finding with most threads: it has too few connections for fewer, too.
      def smallest(pools)
        pools.group_by { |finding| finding.values.except(:threads) }.each_value.map do |same|
          same.max_by { |finding| finding.values[:threads] }
        end
      end

      # One finding for each variant, or one for all of them if they log about the same amount, or
      # if they are many.
      def loud(chatter, variants)
        sizes = chatter.group_by { |finding| finding.values[:variant] }.transform_values do |same|
          Stats::Center.median(same.map { |finding| finding.values[:bytes_per_request] }).round
        end
        sizes.select! { |_, bytes| bytes >= CHATTER_BYTES }
        least, most = sizes.values.minmax
        if sizes.size > 1 && (variants - sizes.keys).empty? && most <= least * (1 + ALIKE)
          bytes = Stats::Center.median(sizes.values).round
          return [Finding.note("chatter_alike", variants: sizes.size, bytes_per_request: bytes)]
        end

        return [Finding.note("chatter_various", variants: sizes.size, least:, most:,
                                                loudest: sizes.key(most))] if sizes.size > FEW

        sizes.map { |variant, size| Finding.note(CHATTER, variant:, bytes_per_request: size) }
      end

      private_class_method :loud, :smallest
    end
  end
end
