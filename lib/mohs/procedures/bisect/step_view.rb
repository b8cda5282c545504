# frozen_string_literal: true

module Mohs
  module Bisect
    # One of a bisection's comparisons: as any other, and which step it is.
    class StepView < Compare::View
      STEPS = { "ends" => "its two ends", "search" => "on which side B is",
                "confirm" => "to confirm what was found" }.freeze

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = document[:command] == KIND && !document[:bisection].nil?

      private

      def remarks = [step, *super]

      def step
        kind, number, good, bad = @document[:bisection].values_at(:kind, :number, :good, :bad)
        remark("bisect", say("bisect_step", number:, good:, bad:, step: STEPS.fetch(kind)))
      end
    end
  end
end
