# frozen_string_literal: true

module Mohs
  module Analysis
    # Do some variants have fewer threads than connections? Then latency includes the wait for a
    # thread.
    module ConnectionsExceedThreads
      module_function

      # Requests that a server works on at the same time, as attested; nil if unknown, or if its
      # processes differ.
      #: (Hash[Symbol, untyped]) -> Integer?
      def slots(attested)
        workers, threads = attested.values_at(:workers, :threads)
        workers * threads if [workers, threads].all?(Integer)
      end

      # Are there more connections than requests that a server works on at a time? False if either
      # is unknown.
      #: (Integer?, Integer?) -> bool
      def crowded?(count, slots) = !count.nil? && !slots.nil? && slots < count

      # The same, for a server's attested settings.
      #: (Integer?, Hash[Symbol, untyped]?) -> bool
      def in?(count, attested) = crowded?(count, slots(attested.to_h))

      # The same, for a trial: as its server attested, or as a load showed (Cohort::Crowds).
      #: (Store::Trial) -> bool
      def wait?(trial)
        connections = trial.connections.to_h
        connections[:crowded] == true || in?(connections[:asked], trial.attested)
      end

      # each: { variant's name => [its connections, nil if unknown; requests that it works on at the
      # same time, nil if unknown or without limit] }. Returns nil if every connection has a thread.
      #: (Hash[String, [Integer?, Integer?]]) -> Analysis::Finding?
      def call(each)
        crowded = each.select { |_, (count, slots)| crowded?(count, slots) }
        return if crowded.empty?

        variants = crowded.keys if crowded.size < each.size
        counts, slots = crowded.values.transpose
        Finding.note("crowding", connections: counts.max, threads: slots.minmax.uniq, variants:)
      end
    end
  end
end
