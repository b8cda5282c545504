# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs gate --dry-run` for people: what would be compared, and the limits.
      class GatePlanScreen < GateScreen
        #: () -> String
        def to_s
          lines = [against, ["budget", budget], alarms]
          paragraphs(named(lines), table)
        end

        private

        def budget = "#{Numbers.duration(@document[:budget_s])} for all pages"

        def table
          rows = @document[:pages].map { |page| [page[:name], page[:limits].join(", ")] }
          Columns.new([%w[page limits], *rows]).lines.map { |line| @style.cut(line) }.join("\n")
        end
      end
    end
  end
end
