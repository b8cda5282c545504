# frozen_string_literal: true

module Mohs
  module Tune
    # The figures of the race.
    class RacedSection < Report::Sections::Figures
      TITLE = "As the settings raced"
      HOW = "With all threads busy, before the limit was searched: not at the rates above."
    end
  end
end
