# frozen_string_literal: true

module Mohs
  module Importers
    # siege: its final output, as JSON (-j; always with siege 4.0) or as text.
    class Siege < Base
      include Shared::Summary

      ROW = /^([A-Z][a-z ]+?):\s+([\d.]+)/

      #: (String) -> bool
      def self.recognise?(head)
        head.match?(/"transactions":\s+\d/) || head.match?(/^Transactions:\s+\d+ hits/)
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        text = source.text
        text = json(text) unless text.include?('"transactions"')
        [summary(text, lacks: [lack("steps", step: "10 ms"), lack("no_quantiles")])]
      end

      private

      # The lines of text have the names of the JSON keys, except for case and spaces.
      def json(text)
        rows = text.scan(ROW).to_h do |name, value|
          [name.downcase.tr(" ", "_"), value.include?(".") ? number(value) : count(value)]
        end
        JSON.generate(rows)
      end
    end
  end
end
