# frozen_string_literal: true

module Mohs
  module Checks
    # Every answer was the right one, as learnt before the load. A wrong one voids the speed: an
    # error page is fast.
    class Answers < Base
      # Error classes that are answers, whole but not the right ones.
      WRONG = %w[wrong_status wrong_length wrong_body].freeze

      HOW = { "body" => "same body", "length" => "same length", "status" => "same status" }.freeze

      private

      def needs = %i[slices answers]

      def judge
        wrong = errors_of(@facts[:slices]).slice(*WRONG)
        return invalid(told(wrong)) if wrong.any?

        pass("#{how} each time, checked on all #{@facts[:slices].sum { |slice| slice[:good] }}")
      end

      def how = @facts[:answers].map { |answer| HOW.fetch(answer[:kind].to_s) }.uniq.join(" or ")

      def told(wrong)
        sent = @facts[:slices].sum { |slice| slice[:sent] }
        "#{percent(wrong.values.sum.fdiv(sent))} of the answers were wrong: #{named(wrong)}"
      end
    end
  end
end
