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
          prompt: lambda do |values, numbers|
            count = values[:count].to_i # not stored by an earlier mohs
            next "no connection took a second to open" if count.zero?

            "#{numbers.whole(count)} of #{numbers.counted(values[:of], 'connection')} took a " \
              "second or longer to open"
          end,
          full_queue: "%{count|count} of %{of|count} connections took a second or longer to " \
                      "open, as the server's listen queue was full. The rate includes these waits",
          stood_still: "not known, as the driver itself stalled for %{longest_ns|ms}",
        }.freeze

        # The fact `connects`: `slow`, for how many requests the connection took so long to open,
        # and `opened`, how many were opened in all; results: those of the steps.
        #: (Load::Recording, Array[Load::StepResult]) -> Hash[Symbol, Integer]
        def self.count(recording, results)
          { slow: recording.count_between(:lag, AGAIN_NS, 2**62),
            opened: results.sum { |result| result.connections[:opened].to_i } }
        end

        # Are there too many slow ones for chance?
        #: ({ slow: Integer, opened: Integer }) -> bool
        def self.queued?(fact) = fact[:slow] >= [FEWEST, SHARE * opened(fact)].max

        # How many were opened; at least the slow ones, as drivers differ in when they count one.
        #: ({ slow: Integer, opened: Integer }) -> Integer
        def self.opened(fact) = fact.values.max

        private

        def needs = %i[slices connects]

        # In an open loop the same figure is how late a request was sent.
        def judge
          return unknown(:unmeasured) if measured.empty? || open_loops.any?
          return unknown(:stood_still, longest_ns:) if longest_ns.to_i >= AGAIN_NS

          fact = facts[:connects]
          count, of = fact[:slow], self.class.opened(fact)
          return pass(:prompt, count:, of:) unless self.class.queued?(fact)

          warn(:full_queue, count:, of:, share: count.fdiv(of))
        end

        # The driver's longest stall; nil if it counts none.
        def longest_ns = thread_stats.filter_map { |pulse| pulse[:gap_max_ns] }.max
      end
    end
  end
end
