# frozen_string_literal: true

module Mohs
  module Compare
    # Tones (Report::Tone) of the outcomes of single metrics.
    module Tones
      # Of a metric that is compared.
      MARKS = { "better" => :good, "worse" => :bad, "equal" => :even,
                "undecided" => :open }.freeze
      # Of one that has a limit.
      GATES = { "holds" => :good, "fails" => :bad, "inconclusive" => :open }.freeze
    end
  end
end
