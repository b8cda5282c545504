# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Labels of an axis' ticks, by its unit.
      module Ticks
        SUFFIXES = { per_s: "/s", ms: " ms", megabytes: " MB", percent: " %",
                     connections: "" }.freeze

        module_function

        #: (Symbol, Numeric) -> String
        def text(unit, value)
          return batch(value) if unit == :batch

          "#{value.zero? ? '0' : Numbers.trimmed(Numbers.figure(value))}#{SUFFIXES.fetch(unit)}"
        end

        # Batches are counted from 1 on.
        def batch(index) = index.zero? ? "batch 1" : Numbers.whole(index + 1)
        private_class_method :batch
      end
    end
  end
end
