# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Every request sent is recorded once and ended in one way.
      class Counts < Base
        WORDS = {
          complete: "%{sent|count} sent, ended and recorded",
          differ: "%{sent|count} requests sent, but %{ended|count} ended and " \
                  "%{recorded|count} recorded: a fault of mohs",
        }.freeze

        private

        def needs = %i[slices recorded]

        def judge
          slices, recorded = facts.values_at(:slices, :recorded)
          sent = slices.sum { |slice| slice[:sent] }
          ended = slices.sum { |slice| slice[:good] } + errors_of(slices).values.sum
          return pass(:complete, sent:) if [ended, recorded].all?(sent)

          bad(:differ, sent:, ended:, recorded:)
        end
      end
    end
  end
end
