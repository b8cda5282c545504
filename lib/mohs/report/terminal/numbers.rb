# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # By its earlier name.
      Numbers = Report::Numbers
    end
  end
end
