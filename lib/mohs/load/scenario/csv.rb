# frozen_string_literal: true

require "strscan"

module Mohs
  module Load
    class Scenario
      # The columns of a CSV file with a header line (RFC 4180: quotes around fields that contain
      # commas, line ends or doubled quotes). Ruby no longer includes csv from 3.4 on.
      class Csv
        # The fields of one row. Raises UsageError.
        #: (String) -> Array[String]
        def self.row(text) = new(text).names.to_a

        # Names of the columns: the first row.
        attr_reader :names

        #: (String) -> void
        def initialize(text)
          @scanner = StringScanner.new(text.delete_prefix("\u{feff}"))
          @names, *@rows = rows
        end

        # The values of the column with this name, in order. Raises UsageError if there are none.
        #: (String) -> Array[String]
        def column(name)
          index = @names&.index(name)
          raise UsageError, "no column #{name}. There are: #{@names&.join(', ')}" unless index
          raise UsageError, "no rows below the names" if @rows.empty?

          short = @rows.index { |row| row.size != @names.size }
          raise UsageError, "row #{short + 2} doesn't have as many fields as the first" if short

          @rows.map { |row| row[index] }
        end

        private

        def rows
          rows = []
          until @scanner.eos?
            row = row()
            rows << row unless row == [""]
          end
          rows
        end

        def row
          fields = [field]
          fields << field while @scanner.skip(/,/)
          return fields if @scanner.skip(/\r?\n/) || @scanner.eos?

          raise UsageError, "text after the closing quote: #{@scanner.check(/.*/)}"
        end

        def field
          return @scanner.scan(/[^,\r\n]*/) unless @scanner.skip(/"/)

          text = @scanner.scan(/(?:[^"]|"")*/)
          raise UsageError, "a quote is not closed" unless @scanner.skip(/"/)

          text.gsub('""', '"')
        end
      end
    end
  end
end
