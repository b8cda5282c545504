# frozen_string_literal: true

require "json"

module Mohs
  module Exporters
    module Documents
      # The document as it is.
      class Json < Base
        HELP = "one JSON document on stdout (docs/json.md)"

        # What a terminal or a CI runner would act upon.
        ESCAPED = /#{Printable::UNPRINTABLE}|#(?=#\[)/

        # NaN and infinity have no JSON: they stand for "not known", which is null.
        #: (Hash[Symbol, untyped]) -> String
        def call(document)
          text = JSON.pretty_generate(known(document))
          "#{text.gsub(ESCAPED) { |sign| format('\\u%04x', sign.ord) }}\n"
        end

        private

        def known(value)
          case value
          when Hash then value.transform_values { |item| known(item) }
          when Array then value.map { |item| known(item) }
          when Float then value.finite? ? value : nil
          else value
          end
        end
      end
    end
  end
end
