# frozen_string_literal: true

module Mohs
  module Report
    # What is said of a variant's trials together.
    module RowText
      # Of a failure without a reason: mohs itself was ended, or is still at it.
      LOST = "mohs ended while it ran"

      module_function

      # "2 of 3 trials: ..." if they disagree.
      #: (Analysis::Row::Worst) -> String
      def check(worst)
        detail = Phrase.call(worst.finding)
        worst.disputed? ? "#{worst.alike} of #{worst.trials} trials: #{detail}" : detail
      end

      #: (Analysis::Row::Failure) -> String
      def failure(failure)
        failure.reason || (failure.spoiled ? Phrase.call(failure.spoiled) : LOST)
      end
    end
  end
end
