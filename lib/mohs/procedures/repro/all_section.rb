# frozen_string_literal: true

module Mohs
  module Repro
    # The studies of `mohs repro --all`.
    class AllSection < Report::Sections::Listing
      TITLE = "Studies"
    end
  end
end
