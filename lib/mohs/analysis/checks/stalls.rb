# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Responses that cluster at 40 or 200 ms are protocol waits, not work: Linux delays an ACK by
      # 40 ms, which stalls a server that writes a response in two pieces without TCP_NODELAY; Puma
      # lets a keep-alive connection that it has set aside wait 200 ms for a thread (its issues 2625
      # and 3443).
      class Stalls < Base
        Heap = Struct.new(:inside, :beside, keyword_init: true)

        # inside: where the wait shows, in ms; beside: ranges on both sides for comparison, together
        # at least as wide.
        HEAPS = [
          Heap.new(inside: [38, 45], beside: [[33, 38], [45, 50]]),
          Heap.new(inside: [195, 215], beside: [[180, 195], [215, 230]]),
        ].each(&:freeze).freeze

        # A cluster is at least a hundredth of all responses, at least ten of them, and at least
        # three times what lies beside.
        SHARE = 0.01
        FEWEST = 10
        STEEPNESS = 3

        # A request that computes for half as long, or waits for others that do, takes about as long
        # by itself: pages of 43 ms are no cluster. One that waits for an ACK computes for less.
        OWN = 0.5

        ACK = "%{share_40|percent} of the responses took 38 to 45 ms, as with a delayed ACK " \
              "(does the server set TCP_NODELAY?)"
        THREAD = "%{share_200|percent} of the responses took 195 to 215 ms, as when a connection " \
                 "waits for a thread (more connections than threads?)"

        WORDS = {
          none: "none at 40 ms or 200 ms",
          at_40: ACK,
          at_200: THREAD,
          at_both: "#{ACK}; #{THREAD}",
        }.freeze

        # The fact `stalls`, in the order of HEAPS: the block counts good measured responses with a
        # service time in [low_ns, high_ns), as Load::Recording#count_between(:service, low_ns,
        # high_ns) does.
        #: () { (Integer, Integer) -> Integer } -> Array[Hash[Symbol, Integer]]
        def self.count
          HEAPS.map do |heap|
            beside = heap.beside.sum { |low, high| yield(low * 1_000_000, high * 1_000_000) }
            { inside: yield(*heap.inside.map { |ms| ms * 1_000_000 }), beside: }
          end
        end

        # The share of `good` responses in a cluster; nil if there is none.
        #: (inside: Integer, beside: Integer, good: Integer) -> Float?
        def self.share(inside:, beside:, good:)
          inside.fdiv(good) if inside >= [FEWEST, SHARE * good, STEEPNESS * beside].max
        end

        private

        def needs = %i[slices stalls]

        def judge
          good = total(:good)
          acks, threads = facts[:stalls].zip(HEAPS).map do |counts, heap|
            self.class.share(**counts, good:) unless computes?(OWN * heap.inside.first)
          end
          return warn(:at_both, share_40: acks, share_200: threads) if acks && threads
          return warn(:at_40, share_40: acks) if acks

          threads ? warn(:at_200, share_200: threads) : pass(:none)
        end

        # Do a request and those of the other connections of its process compute for so long, one
        # after the other? False if that is unknown.
        def computes?(ms)
          each_ns = measured.map { |slice| slice[:cpu_ns] }
          asked, processes = facts.dig(:connections, :asked), facts.dig(:workers, :declared)
          return false unless asked && each_ns.all?

          each_ns.sum * asked >= ms * 1e6 * total(:good) * [processes.to_i, 1].max
        end
      end
    end
  end
end
