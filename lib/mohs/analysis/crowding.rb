# frozen_string_literal: true

module Mohs
  module Analysis
    # Have some variants fewer threads than there are connections? Then latency includes the wait
    # for a thread. (Puma's wait: method, section 2; its issues 2625, 3443 and 3487.)
    module Crowding
      module_function

      # Requests that a server works on at the same time, by what was attested of it; nil if that
      # is unknown, or differs between its processes.
      #: (Hash[Symbol, untyped]) -> Integer?
      def slots(attested)
        workers, threads = attested.values_at(:workers, :threads)
        workers * threads if [workers, threads].all?(Integer)
      end

      # Are there more connections than a server works on requests? Not if either is unknown.
      #: (Integer?, Integer?) -> bool
      def crowded?(count, slots) = !count.nil? && !slots.nil? && slots < count

      # { variant's name => [its connections, nil: unknown; requests that it works on at the same
      # time, nil: unknown or without limit; is each connection closed after a request? Not if it
      # isn't said] }. nil if every connection has a thread. `quiet`: may a connection of a crowded
      # one have no request?
      #: (Hash[String, [Integer?, Integer?] | [Integer?, Integer?, bool?]]) -> Analysis::Finding?
      def call(each)
        crowded = each.select { |_, (count, slots)| crowded?(count, slots) }
        return if crowded.empty?

        variants = crowded.keys if crowded.size < each.size
        counts, slots, closed = crowded.values.map { |all| all.values_at(0, 1, 2) }.transpose
        Finding.note("crowding", connections: counts.max, threads: slots.minmax.uniq, variants:,
                                 quiet: !closed.all?)
      end
    end
  end
end
