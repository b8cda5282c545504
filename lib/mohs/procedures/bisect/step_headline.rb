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

      # A search has looks before there is an interval, and waits for none.
      def early(stopped, cohorts)
        return super unless @document[:bisection][:kind] == "search"

        say("compare_open", stopped:, cohorts:, between:)
      end
    end
  end
end
