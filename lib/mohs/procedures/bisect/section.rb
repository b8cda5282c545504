# frozen_string_literal: true

module Mohs
  module Bisect
    # The comparisons of a bisection, or the studies of `mohs repro --all`: the tables of their
    # screens.
    class Section < Report::Html::Section
      ID = "steps"

      #: () -> bool
      def any? = steps? && !steps.nil? && steps.rows.any?

      #: () -> untyped
      def content
        figures = steps.columns.drop(1).map(&:key)
        [table_of(steps, title, figures:),
         pairs(view.remarks.map { |one| [one.name, one.line] })]
      end

      private

      def title = @document[:studies] ? "Studies" : "Comparisons"

      def steps = view.tables.first

      def steps?
        needed = @document[:command] == "bisect" ? %i[steps] : %i[studies counts]
        needed.all? { |key| @document[key] }
      end
    end
  end
end
