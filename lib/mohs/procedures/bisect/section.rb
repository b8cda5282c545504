# frozen_string_literal: true

module Mohs
  module Bisect
    # The comparisons of a bisection.
    class Section < Report::Html::Listing
      TITLE = "Comparisons"

      #: () -> bool
      def any? = View.of?(@document) && super
    end
  end
end
