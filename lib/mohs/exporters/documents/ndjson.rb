# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # A JSON object for each figure of each variant, one a line, each with every key; null stands
      # for what is not known.
      class Ndjson < Base
        HELP = "one line of JSON per figure"
        MEDIA_TYPE = "application/x-ndjson"
        ENDINGS = %w[.ndjson .jsonl].freeze
        WRITES = Csv::WRITES

        private

        def text(document)
          Figures.of(document).map { |figure| JsonText.line(figure.to_row) }.join
        end
      end
    end
  end
end
