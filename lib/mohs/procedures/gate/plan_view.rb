# frozen_string_literal: true

module Mohs
  module Gate
    # What `mohs gate --dry-run` would compare, and the limits.
    class PlanView < View
      KIND = "gate --dry-run"
      MEASURED = false

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = document[:command] == "gate" && !document[:dry_run].nil?

      private

      def facts = []

      def cautions
        budget = Report::Numbers.duration(@document[:budget_s])
        [against, remark("budget", "#{budget} for all pages"), alarms]
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
