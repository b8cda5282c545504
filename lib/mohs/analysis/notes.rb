# frozen_string_literal: true

module Mohs
  module Analysis
    # Notes on the servers' own set-up, as their trials have them: findings, or texts in older runs.
    module Notes
      # Bytes a request from which on a server logs each request: that takes some hundred bytes; a
      # server that doesn't writes a few lines in all.
      CHATTER_BYTES = 20

      CHATTER = "chatter"

      # Variants that log about the same amount differ by no more than this share.
      ALIKE = 0.05

      module_function

      # The notes worth a line, each once.
      #: (Array[Store::Trial]) -> Array[Analysis::Finding]
      def call(trials)
        found = trials.flat_map(&:notes).map { |note| restore(note) }
        chatter, others = found.partition { |finding| finding.code == CHATTER }
        [*others.uniq, *loud(chatter, trials.map(&:variant).uniq)]
      end

      # One finding for each variant, or one for all of them if they log about the same amount.
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

        sizes.map { |variant, size| Finding.note(CHATTER, variant:, bytes_per_request: size) }
      end

      def restore(note)
        return Finding.note("note_recorded", text: note) if note.is_a?(String)

        Finding.note(note[:code], **note[:values])
      end

      private_class_method :restore, :loud
    end
  end
end
