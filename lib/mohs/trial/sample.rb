# frozen_string_literal: true

module Mohs
  module Trial
    # One step of load on a trial: `block` and `position` in the cohort's schedule (nil: warm-up),
    # `result` a Load::StepResult.
    Sample = Struct.new(:block, :position, :result, keyword_init: true)
  end
end
