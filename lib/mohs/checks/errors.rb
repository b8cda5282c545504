# frozen_string_literal: true

module Mohs
  module Checks
    # Requests that got no answer, or none that is HTTP. (Wrong answers are Checks::Answers'.)
    class Errors < Base
      # From this share on errors alone can make the smallest difference that matters (the margin, 1
      # %).
      VOID = 0.01

      private

      def judge
        sent = total(:sent)
        return unknown("nothing was sent") if sent.zero?

        errors = errors_of(measured).except(*Answers::WRONG)
        return pass("none in #{sent} requests") if errors.empty?

        share = errors.values.sum.fdiv(sent)
        share < VOID ? warn(told(errors, share)) : invalid(told(errors, share))
      end

      def told(errors, share) = "#{percent(share)} of the requests failed: #{named(errors)}"
    end
  end
end
