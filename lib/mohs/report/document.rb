# frozen_string_literal: true

module Mohs
  module Report
    # What all documents of docs/json.md share.
    module Document
      # Grows by one when keys are added.
      SCHEMA = 1

      # Options about a command's output, not about what it measures.
      SILENT = %w[--json --quiet -q].freeze

      # Adds the keys with which every document begins.
      #: (String, Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def self.envelope(command, fields) = { mohs: VERSION, schema: SCHEMA, command:, **fields }

      # The command that repeats the measurement, as one would type it; nil if unknown.
      #: (Hash[Symbol, untyped]) -> String?
      def self.command(document)
        command_line = own(document)
        return command_line.again(document) if command_line

        document[:again] || as_typed(document)
      end

      # The part of the procedure that knows by itself how this document is made again; nil: none
      # does.
      #: (Hash[Symbol, untyped]) -> Module?
      def self.own(document) = Procedure.parts("command_line").find { |one| one.of?(document) }

      # A load's words begin with its command, others don't.
      def self.as_typed(document)
        return unless document[:provenance]

        name = typed(document)
        words = document[:provenance][:argv].to_a.map(&:to_s)
        words = words.drop(1) if words.first == name
        Shell.command(["mohs", *name, *(words - SILENT)])
      end

      # The command that was typed, which need not be that of the document: a point of `mohs track`
      # is a comparison. A load has no invocation.
      def self.typed(document)
        document[:provenance].dig(:invocation, :command) || document[:command]
      end
      private_class_method :as_typed, :typed
    end
  end
end
