# frozen_string_literal: true

require "json"

module Mohs
  module Exporters
    # The one document that a command prints under --json; its keys are the contract of
    # docs/json.md.
    module Json
      # Grows by one when keys are added.
      SCHEMA = 1

      module_function

      # What every document begins with.
      #: (String, Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def envelope(command, fields) = { mohs: VERSION, schema: SCHEMA, command:, **fields }

      # NaN and infinity have no JSON: they stand for "not known", which is null.
      #: (Hash[Symbol, untyped]) -> String
      def call(document) = "#{JSON.pretty_generate(known(document))}\n"

      def known(value)
        case value
        when Hash then value.transform_values { |item| known(item) }
        when Array then value.map { |item| known(item) }
        when Float then value.finite? ? value : nil
        else value
        end
      end
      private_class_method :known
    end
  end
end
