# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The only table of a screen, and its remarks.
      class Listing < Section
        ID = "steps"

        #: () -> bool
        def any? = view.tables.first.to_h.fetch(:rows, []).any?

        #: () -> untyped
        def content
          table = view.tables.first
          [table_of(table, title, figures: table.columns.drop(1).map(&:key)),
           pairs(view.remarks.map { |one| [one.name, one.line] })]
        end
      end
    end
  end
end
