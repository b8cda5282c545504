# frozen_string_literal: true

module Mohs
  module Exporters
    module Recordings
      # Observations as CSV (RFC 4180): a line of names, then numbers; unknown values are empty, and
      # flags are separated by bars.
      class Csv < Observations
        HELP = "each request as a line of CSV (-: stdout)"
        FLAG_WORDS = NAMED.map { |names| names.join("|") }.freeze

        private

        def head = "#{[*@origin, *COLUMNS].join(',')}\n"

        def prefix(values) = values.map { |value| "#{field(value)}," }.join

        def before = ["", *[","] * (COLUMNS.size - 1)]

        def flags = FLAG_WORDS

        def unknown = ""

        def ending = "\n"

        # A variant's name may contain quotes or commas.
        def field(value)
          text = value.to_s
          text.match?(/[",\n]/) ? "\"#{text.gsub('"', '""')}\"" : text
        end
      end
    end
  end
end
