# frozen_string_literal: true

module Mohs
  module Load
    # The first wrong answer of a target, to be shown to the person: its error class, status (0
    # without one), and up to 4096 bytes: of the body, or, where it was not HTTP, of what came.
    Specimen = Struct.new(:error, :status, :bytes, keyword_init: true) do
      include Value
    end
  end
end
