# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # The only table of a screen, and its remarks.
      class Listing < Base
        KEY = "steps"

        private

        def any? = view.tables.first.to_h.fetch(:rows, []).any?

        def parts
          table = view.tables.first
          [shown(table, title, figures: table.columns.drop(1).map(&:key)),
           remarked(view.remarks)]
        end
      end
    end
  end
end
