# frozen_string_literal: true

module Mohs
  module Checks
    # Every request sent is recorded once and ended in one way.
    class Counts < Base
      private

      def needs = %i[slices recorded]

      def judge
        sent = @facts[:slices].sum { |slice| slice[:sent] }
        ended = @facts[:slices].sum { |slice| slice[:good] } + errors_of(@facts[:slices]).values.sum
        return pass("#{sent} sent, ended and recorded") if [ended, @facts[:recorded]].all?(sent)

        invalid("#{sent} requests sent, but #{ended} ended and #{@facts[:recorded]} recorded: " \
                "a fault of mohs")
      end
    end
  end
end
