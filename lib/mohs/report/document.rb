# frozen_string_literal: true

module Mohs
  module Report
    # What all documents of docs/json.md share.
    module Document
      # Grows by one when keys are added.
      SCHEMA = 1

      # What options are about that don't change what is measured.
      OUTPUT = %w[output].freeze
      private_constant :OUTPUT

      # Adds the keys with which every document begins.
      #: (String, Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def self.envelope(command, fields) = { mohs: VERSION, schema: SCHEMA, command:, **fields }

      # The command that repeats a measurement, as one would type it, and what to write into the
      # files that it names. invocation: what was typed, as in a document; nil: nobody knows, and so
      # is the command. without: what the options are about that it leaves out. settings: that it
      # has in their place (Proposal#with).
      #: (Hash[Symbol, untyped]?, ?without: Array[String], **untyped) -> String?
      def self.again(invocation, without: OUTPUT, **settings)
        Proposal.of(invocation)&.except(*without)&.with(**settings)&.line
      end
    end
  end
end
