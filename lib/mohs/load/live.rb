# frozen_string_literal: true

module Mohs
  module Load
    # A look at the load under way: since when, the index of the step, and what its list of steps
    # did so far; `times` a Load::Times of right answers (response times in an open loop, else
    # service times), nil where the driver does not tell.
    Live = Struct.new(:elapsed_ns, :step, :completed, :failed, :times, keyword_init: true) do
      include Value
    end
  end
end
