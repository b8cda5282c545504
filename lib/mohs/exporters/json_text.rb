# frozen_string_literal: true

require "json"

module Mohs
  module Exporters
    # JSON as every exporter writes it.
    module JsonText
      # Characters that a terminal or a CI runner would act upon.
      ESCAPED = /#{Printable::UNPRINTABLE}|#(?=#\[)/

      module_function

      # On several lines, so that people can read it, with a line end. JSON lacks NaN and infinity:
      # they mean "unknown", which is null.
      #: (untyped) -> String
      def pretty(value) = "#{escaped(JSON.pretty_generate(known(value)))}\n"

      # On one line, with its line end.
      #: (untyped) -> String
      def line(value) = "#{escaped(JSON.generate(known(value)))}\n"

      def escaped(text) = text.gsub(ESCAPED) { |sign| format('\\u%04x', sign.ord) }

      def known(value)
        case value
        when Hash then value.transform_values { |item| known(item) }
        when Array then value.map { |item| known(item) }
        when Float then value.finite? ? value : nil
        else value
        end
      end
      private_class_method :escaped, :known
    end
  end
end
