# frozen_string_literal: true

require "json"

module Mohs
  module Exporters
    # Observations as a JSON object a line, each with every key; null where a value is not known.
    class Ndjson < Observations
      FLAG_LISTS = NAMED.map { |names| JSON.generate(names) }.freeze
      # Of COLUMNS: a word.
      ERROR = COLUMNS.index("error")

      private

      def head = ""

      def prefix(values)
        "{#{@origin.zip(values).map { |pair| "#{pair.map(&:to_json).join(':')}," }.join}"
      end

      def line(row)
        row[-1] = FLAG_LISTS[row.last]
        row[ERROR] &&= "\"#{row[ERROR]}\""
        "#{COLUMNS.zip(row).map { |name, value| "\"#{name}\":#{value || 'null'}" }.join(',')}}\n"
      end
    end
  end
end
