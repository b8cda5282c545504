# frozen_string_literal: true

module Mohs
  module Repro
    # The studies of `mohs repro --all`.
    class AllSection < Report::Html::Listing
      TITLE = "Studies"

      #: () -> bool
      def any? = AllView.of?(@document) && super
    end
  end
end
