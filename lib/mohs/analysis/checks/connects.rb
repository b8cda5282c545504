# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # A new connection that finds the server's listen queue full is dropped, and Linux tries again
      # after a second (RFC 6298, 2.1). So a server with a short queue, as Puma 6 on JRuby (50
      # places), stands still for most of a burst of new connections. The rate shows that; what a
      # response takes from the moment it is asked for does not.
      class Connects < Base
        # The first retry comes after a second, the next ones later.
        AGAIN_NS = 900_000_000

        # Fewer are chance.
        FEWEST = 3
        SHARE = 0.001

        SIZE = :share

        WORDS = {
          prompt: "no connection took a second to open",
          queued: "%{count|count} of %{of|count} requests waited a second or longer for their " \
                  "connection, as the server's queue of new ones was full. The rate includes " \
                  "that, latencies don't",
        }.freeze

        # The fact `connects`: of how many requests the connection took so long to open.
        #: (Load::Recording) -> Hash[Symbol, Integer]
        def self.count(recording) = { slow: recording.count_between(:lag, AGAIN_NS, 2**62) }

        private

        def needs = %i[slices connects]

        # In an open loop the same figure is how late a request was sent.
        def judge
          return unknown(:unmeasured) if measured.empty? || open_loops.any?

          count, of = facts[:connects][:slow], total(:good)
          return pass(:prompt) if count < [FEWEST, SHARE * of].max

          warn(:queued, count:, of:, share: count.fdiv(of))
        end
      end
    end
  end
end
