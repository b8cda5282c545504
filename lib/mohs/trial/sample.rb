# frozen_string_literal: true

module Mohs
  class Trial
    # One step of load on a trial: `block` and `position` in the cohort's schedule (nil: warm-up),
    # `result` a Load::StepResult; `half` of the machine it was loaded on, where that changes.
    Sample = Struct.new(:block, :position, :result, :half, keyword_init: true)
  end
end
