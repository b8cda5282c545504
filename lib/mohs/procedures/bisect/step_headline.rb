# frozen_string_literal: true

module Mohs
  module Bisect
    # The answer of one of a bisection's comparisons.
    class StepHeadline < Compare::Headline
      # The end that B resembles, by the state of its cohorts; A is the good end.
      SIDES = { "first" => "good", "second" => "bad" }.freeze

      private

      def undecided
        side = SIDES[@document[:cohorts][:state]] or return super
        say("bisect_side", side:, **names, **change)
      end
    end
  end
end
