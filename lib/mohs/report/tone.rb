# frozen_string_literal: true

module Mohs
  module Report
    # What an outcome means to a reader, whatever its word is. A view says it of a cell or a mark;
    # it is all that renderers know of outcomes.
    #
    #   :good  a gain beyond chance, what was expected, or what nothing else beats
    #   :bad   a loss beyond chance, the opposite of what was expected, or nothing to rely on
    #   :even  no difference that matters
    #   :open  not decided
    #   :warn  to be read with caution
    #
    # nil: no outcome.
    module Tone
      # Of verdicts on variants.
      VERDICTS = { "faster" => :good, "slower" => :bad, "equivalent" => :even,
                   "undecided" => :open, "invalid" => :bad }.freeze
      # Of levels of checks.
      LEVELS = { "ok" => :good, "warn" => :warn, "bad" => :bad, "invalid" => :bad }.freeze
    end
  end
end
