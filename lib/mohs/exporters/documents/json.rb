# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # The document unchanged.
      class Json < Base
        HELP = "the JSON document itself (docs/json.md)"
        MEDIA_TYPE = "application/json"
        ENDINGS = %w[.json].freeze
        OPTION = "one JSON document on stdout (docs/json.md)"

        private

        def text(document) = JsonText.pretty(document)
      end
    end
  end
end
