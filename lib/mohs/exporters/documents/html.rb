# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # A self-contained page for a browser (docs/page.md). Curves are drawn from the key `curves`,
      # if the document has it (Report::Html.with_curves).
      class Html < Base
        HELP = "a self-contained HTML page"
        MEDIA_TYPE = "text/html; charset=utf-8"
        ENDINGS = %w[.html .htm].freeze
        CURVES = true

        #: () -> Array[String]
        def self.kinds = Documents.kinds

        private

        def text(document) = Report::Html.new(document).to_s
      end
    end
  end
end
