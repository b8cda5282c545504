# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # The driver could send much more than the server takes.
      class Headroom < Base
        # A null server's rate over this server's: below this bound, a good part of each request is
        # the driver's own time.
        BOUND = 3

        WORDS = {
          enough: "%{times|number}x",
          little: "the driver could send at most %{times|figure} times as much, to a server that " \
                  "does nothing: a part of these times is its own. Give it more threads if there " \
                  "are cores for them",
        }.freeze

        # The less headroom, the worse.
        #: (Hash[Symbol, untyped]) -> Numeric
        def self.size(values) = -values.fetch(:times, 0)

        private

        def needs = %i[slices empty_per_s]

        def judge
          return unknown(:unmeasured) if total(:good).zero?

          times = facts[:empty_per_s] / Load.rate_per_s(measured)
          times >= BOUND ? pass(:enough, times:) : warn(:little, times:)
        end
      end
    end
  end
end
