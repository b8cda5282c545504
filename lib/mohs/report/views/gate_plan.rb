# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # What `mohs gate --dry-run` would compare, and the limits.
      class GatePlan < Gate
        KIND = "gate_plan"

        private

        def facts = []

        def cautions
          [against, remark("budget", "#{Numbers.duration(@document[:budget_s])} for all pages"),
           alarms]
        end

        def tables
          rows = @document[:pages].map do |page|
            { page: cell(page[:name]), limits: cell(page[:limits].join(", ")) }
          end
          [table(:pages, [column(:page, "page"), column(:limits, "limits")], rows)]
        end

        def remarks = []

        def next_lines = []
      end
    end
  end
end
