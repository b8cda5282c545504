# frozen_string_literal: true

module Mohs
  module Gate
    # The answer of a page's comparison, which is over once its gates are decided.
    class PageHeadline < Compare::Headline
      private

      def reached(state)
        return super unless state == "gated"

        say("gating_reached", between:, seconds:)
      end
    end
  end
end
