# frozen_string_literal: true

module Mohs
  module Checks
    # Answers heaped at 40 or 200 ms are waits of the protocol, not work: Linux delays an ACK by 40
    # ms, which stalls a server that writes an answer in two pieces without TCP_NODELAY; Puma lets a
    # keep-alive connection that it has set aside wait 200 ms for a thread (its issues 2625 and
    # 3443).
    class Stalls < Base
      Heap = Struct.new(:name, :inside, :beside, :cause, keyword_init: true)

      # inside: where the wait shows, in ms; beside: as wide again on both sides together or more,
      # for comparison.
      HEAPS = [
        Heap.new(name: "40 ms", inside: [38, 45], beside: [[33, 38], [45, 50]],
                 cause: "as a delayed ACK makes it (does the server set TCP_NODELAY?)"),
        Heap.new(name: "200 ms", inside: [195, 215], beside: [[180, 195], [215, 230]],
                 cause: "as a connection waits for a thread (more connections than threads?)"),
      ].each(&:freeze).freeze

      # A heap is a hundredth of all answers, at least ten, and three times what lies beside it.
      SHARE = 0.01
      FEWEST = 10
      STEEPNESS = 3

      # The fact `stalls`: the block counts good measured answers with a service time in [low_ns,
      # high_ns), as Load::Recording#count_between(:service, low_ns, high_ns) does.
      #: () { (Integer, Integer) -> Integer } -> Hash[String, Hash[Symbol, Integer]]
      def self.count
        HEAPS.to_h do |heap|
          beside = heap.beside.sum { |low, high| yield(low * 1_000_000, high * 1_000_000) }
          [heap.name, { inside: yield(*heap.inside.map { |ms| ms * 1_000_000 }), beside: }]
        end
      end

      private

      def needs = %i[slices stalls]

      def judge
        heaps = HEAPS.filter_map { |heap| told(heap) }
        heaps.empty? ? pass("none at #{HEAPS.map(&:name).join(' or ')}") : warn(heaps.join("; "))
      end

      def told(heap)
        inside, beside = counts(heap).values_at(:inside, :beside)
        answers = total(:good)
        return if inside < [FEWEST, SHARE * answers, STEEPNESS * beside].max

        "#{percent(inside.fdiv(answers))} of the answers took #{heap.inside.join(' to ')} ms, " \
          "#{heap.cause}"
      end

      # By its name, which is a symbol when the facts come back from the store.
      def counts(heap) = @facts[:stalls].transform_keys(&:to_s).fetch(heap.name)
    end
  end
end
