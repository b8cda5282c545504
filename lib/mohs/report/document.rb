# frozen_string_literal: true

module Mohs
  module Report
    # The first keys of every document of docs/json.md.
    module Document
      # Grows by one when keys are added.
      SCHEMA = 1

      #: (String, Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def self.envelope(command, fields) = { mohs: VERSION, schema: SCHEMA, command:, **fields }
    end
  end
end
