# frozen_string_literal: true

require "json"

module Mohs
  module Exporters
    module Recordings
      # Observations as one JSON object per line, each with every key; unknown values are null.
      class Ndjson < Observations
        HELP = "each request as a line of JSON (-: stdout)"
        FLAG_LISTS = NAMED.map { |names| JSON.generate(names) }.freeze

        private

        def head = ""

        def prefix(values)
          "{#{@origin.zip(values).map { |pair| "#{pair.map(&:to_json).join(':')}," }.join}"
        end

        def before = COLUMNS.each_with_index.map { |name, at| "#{',' if at.positive?}\"#{name}\":" }

        def errors = super.map { |name| JSON.generate(name) }

        def flags = FLAG_LISTS

        def unknown = "null"

        def ending = "}\n"
      end
    end
  end
end
