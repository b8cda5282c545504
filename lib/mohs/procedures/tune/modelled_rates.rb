# frozen_string_literal: true

module Mohs
  module Tune
    # The highest rates within the limit where no search can count enough requests for it: the
    # rates with all threads busy, over the rounds of the race, times the share that a queue of
    # requests leaves usable (UsableShare). Answers as HighestRates does. Pure.
    class ModelledRates
      # A limit has to be at least so many times the longest service time that is known. With twice
      # that, simulated queues of constant and of uneven service are within the ends; below, one of
      # requests of 10 ms of which one in 200 takes 300 ms was said to serve five times too much
      # with p99 < 200 ms, and a limit between two quantiles was said to hold at no rate.
      LONG = 2

      # rounds: { name => requests/s } with all threads busy, of each round. names: of the
      # settings that have a rate. shapes: { name => [processes, threads] } of all that raced.
      # searched: what searches found beside this. services: called with a name, returns its
      # ServiceTimes, nil if unknown.
      #: (Array[Hash[String, Float]], names: Array[String], shapes: Hash[String, [Integer?, Integer?]], limit: Load::Limit, present: String, searched: Tune::HighestRates, services: ^(String) -> Tune::ServiceTimes?) -> void
      def initialize(rounds, names:, shapes:, limit:, present:, searched:, services:)
        @rounds = rounds
        @logs = rounds.map { |round| round.transform_values { |rate| Math.log(rate) } }
        @names = names
        @shapes = shapes
        @limit = limit
        @present = present
        @searched = searched
        @services = services
      end

      # Can the model be relied on for this limit? Only where the service times of each setting are
      # known, and where the limit leaves time to wait beyond the longest of them: its tail is that
      # of long waits, and the few quantiles of service times say nothing about shorter ones.
      #: () -> bool
      def reliable?
        @names.all? do |name|
          service = @services.call(name)
          service && @limit.ns >= LONG * service.longest_s * 1e9
        end
      end

      # No rate is from a search (see #checks).
      #: (String) -> Array[Hash[Symbol, untyped]]
      def found(_name) = []

      #: (String) -> bool
      def broke?(name) = @searched.broke?(name)

      # Never: the model has both ends.
      #: (String) -> bool
      def at_least?(_name) = false

      # nil: none of them is to be waited for.
      #: () -> nil
      def boots_so_far = nil

      # Between the ends of the rate with all threads busy, joint for all settings, and those of
      # the share. 0 if the limit is shorter than the requests themselves.
      #: (String) -> Stats::Interval?
      def rate(name)
        share = share(name)
        return if share.nil? || !@names.include?(name) || broke?(name)

        busy = busy(name)
        return Stats::Interval.new(value: 0.0, count: busy.count) if share.value.zero?

        low, high = [[busy.low, share.low], [busy.high, share.high]].map do |one, by|
          one && (one * by)
        end
        Stats::Interval.new(value: busy.value * share.value, low:, high:, count: busy.count)
      end

      # nil if the setting did not race.
      #: (String) -> Tune::UsableShare?
      def share(name)
        return if @logs.none? { |logs| logs.key?(name) }

        (@shares ||= {})[name] ||= UsableShare.of(**queue_of(name), limit: @limit)
      end

      #: (*String) -> bool
      def comparable?(*names) = names.all? { |name| rate(name)&.value.to_f.positive? }

      #: () -> Hash[String, String]
      def marks = @marks ||= Stats::Groups.marks(groups)

      # The sure part of its error is that of the rates with all threads busy, and what the model
      # may be off is its bias: no number of rounds reduces that.
      #: (String, String) -> Stats::Effect?
      def lead(one, other)
        found = between(other, one, alpha: Result::ALPHA)
        found if found.count >= Result::ROUNDS
      end

      #: (String, String) -> Stats::Interval?
      def ratio(one, other)
        alpha = Result::ALPHA / [@names.size, 1].max
        found = between(one, other, alpha:)
        found.interval(alpha:) if found.count.positive?
      end

      #: (Tune::Result::Setting?, ?alpha: Float) -> Tune::Gain
      def gain(pick, alpha: Result::ALPHA / [@names.size - 1, 1].max)
        Gain.new(pick, present: @present, searches: [], contrasts: self, found: @names, alpha:)
      end

      # By how much `other` serves more, as Stats::Contrasts has it.
      #: (String, String, alpha: Float) -> Stats::Effect
      def between(one, other, alpha:)
        return Stats::Effect.new(count: 0) unless comparable?(one, other)

        busy = contrasts.between(one, other, alpha:)
        return busy if busy.count.zero?

        by = share(other).over(share(one), same: same_shape?(one, other))
        Stats::Effect.new(**busy.to_h, value: busy.value + by.value, bias: by.bias)
      end

      # Names of settings of which a search, long enough for the limit, found a rate that lies
      # outside of the model's interval.
      #: () -> Array[String]
      def contradicted
        @names.select do |name|
          ends = rate(name)
          ends&.low && checks(name).any? { |one| outside?(one, ends) }
        end
      end

      # What the searches of a setting found that were long enough: also that the limit held at
      # each rate that was tried, or at none.
      #: (String) -> Array[Hash[Symbol, untyped]]
      def checks(name)
        @searched.found(name).select do |one|
          Analysis::Rate::KNOWN.include?(one[:outcome]) && one[:low] && !SearchTime.short?(one)
        end
      end

      private

      # A bound has no high end.
      def outside?(found, ends)
        found[:low] > ends.high || (found[:outcome] != "at_least" && found[:high] < ends.low)
      end

      def queue_of(name)
        processes, threads = @shapes.fetch(name)
        { service: @services.call(name), capacity_per_s: busy(name).value, processes:, threads: }
      end

      # Of a process that works on requests in the same order, whichever that is.
      def same_shape?(*names) = @shapes.values_at(*names).uniq.one?

      def busy(name)
        level = 1 - (Result::ALPHA / [@names.size, 1].max)
        (@means ||= Stats::RoundMeans.new(@logs)).interval(name, level:).exp
      end

      def groups
        names = @names.select { |name| comparable?(name) }.sort_by { |name| -rate(name).value }
        return [] if @logs.size < Result::ROUNDS

        Stats::Groups.tested(names, alpha: Result::ALPHA) do |one, other|
          between(one, other, alpha: Result::ALPHA).p || 1.0
        end
      end

      def contrasts
        @contrasts ||= Stats::Contrasts.new(@logs, rounds: [*0...@logs.size], baseline: @present)
      end
    end
  end
end
