# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Numbers as a line of bars.
      module Sparkline
        BARS = %w[▁ ▂ ▃ ▄ ▅ ▆ ▇ █].freeze

        # The highest fills its place; what is 0 is blank, what is little is seen.
        #: (Array[Numeric]) -> String
        def self.of(values)
          highest = values.max.to_f
          values.map do |value|
            value.zero? ? " " : BARS[(value / highest * BARS.size).ceil - 1]
          end.join
        end
      end
    end
  end
end
