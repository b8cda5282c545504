# frozen_string_literal: true

module Mohs
  module Report
    # What all documents of docs/json.md have in common.
    module Document
      # Grows by one when keys are added.
      SCHEMA = 1

      # Options about the output of a command, not about what it measures.
      SILENT = %w[--json --quiet -q].freeze

      # With the first keys of each.
      #: (String, Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def self.envelope(command, fields) = { mohs: VERSION, schema: SCHEMA, command:, **fields }

      # The command that measures the same, as one would type it; nil if that is not known. (An
      # older mohs stored the options alone.)
      #: (Hash[Symbol, untyped]) -> String?
      def self.command(document)
        return unless document[:provenance]

        name = document[:jobs] ? "jobs" : document[:command]
        words = document[:provenance][:argv].to_a.map(&:to_s)
        words = words.drop(1) if words.first == name
        Terminal::Style.command(["mohs", *name, *(words - SILENT)])
      end
    end
  end
end
