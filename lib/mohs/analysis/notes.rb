# frozen_string_literal: true

module Mohs
  module Analysis
    # Notes on the servers' own set-up, as their trials have them: findings, and texts of the
    # application's folder. Runs from before there were codes have texts alone.
    module Notes
      # A server that logs each request writes some hundred bytes for it; one that doesn't, a few
      # lines in all.
      CHATTER_BYTES = 20

      module_function

      # Those worth a line, each once.
      #: (Array[Store::Trial]) -> Array[Analysis::Finding]
      def call(trials)
        trials.flat_map(&:notes).uniq.map { |note| restore(note) }.reject { |one| quiet?(one) }
      end

      def restore(note)
        return Finding.note("note_recorded", text: note) if note.is_a?(String)

        Finding.note(note[:code], **note[:values])
      end

      def quiet?(finding)
        finding.code == "chatter" && finding.values[:bytes_per_request] < CHATTER_BYTES
      end

      private_class_method :restore, :quiet?
    end
  end
end
