# frozen_string_literal: true

module Mohs
  class Plan
    # Trials alive together. `position` counts through the whole run from 0, `round` from 1;
    # `variants` are names in boot order, `baseline` one of them (nil in the cohort of those refused
    # before the start); `blocks` are random orders of the variants, each of which Cohort::Schedule
    # runs with its mirror, as many as the slices' length allows.
    class Cohort < Struct.new(:round, :position, :baseline, :variants, :blocks, :estimate_s,
                              keyword_init: true)
      #: (**untyped) -> void
      def initialize(**values)
        super
        freeze
      end
    end
  end
end
