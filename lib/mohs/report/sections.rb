# frozen_string_literal: true

module Mohs
  module Report
    # The parts of pages, below the answer: each makes a View::Section from a document. Those here
    # are of what several procedures measure; a procedure has its own in its folder.
    module Sections
      # How the variants of a run were measured.
      OF_VARIANTS = [Memory, Unmeasured, Attested].freeze

      # A run in which all variants were loaded alike.
      OF_RUNS = [Effects, Figures, Streams, Percentiles, Heat, ColdStart, Boots, *OF_VARIANTS,
                 Checks, Provenance].freeze
    end
  end
end
