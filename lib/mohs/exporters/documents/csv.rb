# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # A row for each figure of each variant, for spreadsheets: RFC 4180 with the same line ends as
      # recordings. Numbers are written unchanged; unknown values are empty.
      class Csv < Base
        HELP = "one row per figure, for spreadsheets"
        MEDIA_TYPE = "text/csv; charset=utf-8; header=present"
        ENDINGS = %w[.csv].freeze

        # A spreadsheet would take this for a formula (OWASP, CSV Injection): a variant may be
        # "@main".
        FORMULA = /\A[=+\-@\t\r]/
        QUOTED = /[",\r\n]/

        #: () -> Array[String]
        def self.kinds = Documents.of_variants | Figures.kinds

        private

        def text(document)
          rows = Figures.of(document).map { |figure| figure.to_row.values }
          lines = [Figures::Figure::COLUMNS, *rows].map { |row| row.map { field(_1) }.join(",") }
          lines.map { |line| "#{line}\n" }.join
        end

        def field(value)
          return value.to_s if value.is_a?(Numeric)

          text = Printable.call(value.to_s).tr("\n", " ")
          text = "'#{text}" if text.match?(FORMULA)
          text.match?(QUOTED) ? "\"#{text.gsub('"', '""')}\"" : text
        end
      end
    end
  end
end
