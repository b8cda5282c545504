# frozen_string_literal: true

module Mohs
  class LoadRun
    # The self-checks of a load, and all remarks: no other section of the page has them.
    class RemarksSection < Report::Sections::Remarks
      private

      def own = ChecksSection.own(@document)
    end
  end
end
