# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # A JSON object on a line for each figure of each variant; each object has every key, with
      # null for unknown values.
      class Ndjson < Base
        HELP = "one line of JSON per figure"
        MEDIA_TYPE = "application/x-ndjson"
        ENDINGS = %w[.ndjson .jsonl].freeze

        #: () -> Array[String]
        def self.kinds = Csv.kinds

        private

        def text(document)
          Figures.of(document).map { |figure| JsonText.line(figure.to_row) }.join
        end
      end
    end
  end
end
