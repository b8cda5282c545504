# frozen_string_literal: true

module Mohs
  module Load
    # A look at the load under way: since when, the index of the step, and what its list of steps
    # did so far.
    Live = Struct.new(:elapsed_ns, :step, :completed, :failed, keyword_init: true) do
      include Value
    end
  end
end
