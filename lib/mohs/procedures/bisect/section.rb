# frozen_string_literal: true

module Mohs
  module Bisect
    # The comparisons of a bisection.
    class Section < Report::Sections::Listing
      TITLE = "Comparisons"
    end
  end
end
