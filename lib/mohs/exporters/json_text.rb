# frozen_string_literal: true

require "json"

module Mohs
  module Exporters
    # JSON as every exporter writes it.
    module JsonText
      # A terminal or a CI runner would act upon these.
      ESCAPED = /#{Printable::UNPRINTABLE}|#(?=#\[)/

      module_function

      # In lines, for people too, with its last line end. NaN and infinity have no JSON: they stand
      # for "not known", which is null.
      #: (untyped) -> String
      def pretty(value) = "#{escaped(JSON.pretty_generate(known(value)))}\n"

      # In one line, with its end.
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
