# frozen_string_literal: true

module Mohs
  # Why something was refused or failed: the `summary` in a sentence, and the `remedy`, what to try;
  # nil if nothing is known to help.
  class Reason < Struct.new(:summary, :remedy, keyword_init: true)
    include Value

    # As the store and --json have it (#to_s): nil for nil.
    #: (String?) -> Reason?
    def self.parse(text)
      summary, remedy = text&.split("\n", 2)
      summary && new(summary:, remedy:)
    end

    # The same with each part changed by the block.
    #: () { (String) -> String } -> Reason
    def map(&) = Reason.new(**to_h.compact.transform_values(&))

    # The summary, and the remedy on lines of its own.
    #: () -> String
    def to_s = [summary, *remedy].join("\n")
  end
end
