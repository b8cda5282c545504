# frozen_string_literal: true

module Mohs
  module Repro
    # All published studies. Names of studies are of any length.
    class AllLayout < Report::Terminal::PlainLayout
      KIND = AllView::KIND
    end
  end
end
