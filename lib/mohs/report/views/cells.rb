# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # Makes tables of a view.
      module Cells
        private

        def column(key, title, **options) = View::Column.new(key:, title:, **options)

        def cell(text, **options) = View::Cell.new(text: text.to_s, **options)

        # "1 234"; a dash for nil.
        def whole(value) = cell(Numbers.whole(value), value:)

        # "1.23"; a dash for nil.
        def figure(value) = cell(Numbers.figure(value), value:)

        # A table of these columns. Each of the rows is a View::Row, or a hash of its cells; cells
        # without a column are left out.
        def table(key, columns, rows, least_first: [], **options)
          keys = columns.map(&:key)
          rows = rows.map do |row|
            given = row.is_a?(Hash) ? { cells: row } : row.to_h
            View::Row.new(**given, cells: given[:cells].slice(*keys))
          end
          View::Table.new(key:, columns:, rows:, least_first:, above: [], remarks: [], **options)
        end
      end
    end
  end
end
