# frozen_string_literal: true

module Mohs
  module Tune
    # The highest rates within the limit where no search can count enough requests for it: the
    # rates with all threads busy, in each round of the race, times the share of each that a queue
    # of requests leaves usable (UsableShare). So their intervals have the error of a rate twice: a
    # server that is 5 % slower also has less to spare. Answers as HighestRates does. Pure.
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
      def reliable? = !longest_s.nil? && @limit.ns >= LONG * longest_s * 1e9

      # The longest service time of any setting; nil if one has none that is known.
      #: () -> Float?
      def longest_s
        all = @names.map { |name| service(name)&.longest_s }
        all.max if all.all?
      end

      # No rate is from a search (see #checks).
      #: (String) -> Array[Hash[Symbol, untyped]]
      def found(_name) = []

      #: (String) -> bool
      def broke?(name) = @searched.broke?(name)

      # Never: the model has both ends.
      #: (String) -> bool
      def bound?(_name) = false

      # nil: none of them is to be waited for.
      #: () -> nil
      def boots_so_far = nil

      # From the low end for the order of service that leaves least to spare to the high one for
      # that which leaves most, joint for all settings. nil if the setting did not race, or the
      # limit may hold at no rate.
      #: (String) -> Stats::Interval?
      def rate(name)
        return if !@names.include?(name) || broke?(name) || share(name).nil?

        low, value, high = %i[low value high].map { |part| means(part, name) }
        Stats::Interval.new(value: value.value, low: low.low, high: high.high, count: value.count)
      end

      # Of its rate with all threads busy, on average; nil as for #rate.
      #: (String) -> Tune::UsableShare?
      def share(name)
        all = shares.filter_map { |round| round[name] }
        return if all.empty?

        ends = %i[value low high].to_h do |part|
          [part, Math.exp(Stats::Center.mean(all.map { |one| Math.log(one.public_send(part)) }))]
        end
        UsableShare.new(**ends)
      end

      #: (*String) -> bool
      def comparable?(*names) = names.all? { |name| rate(name) }

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

        found = contrasts.between(one, other, alpha:)
        return found if found.count.zero?

        bias = share(other).bias_beside(share(one), same: same_shape?(one, other))
        Stats::Effect.new(**found.to_h, bias:)
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
        found[:low] > ends.high ||
          (found[:outcome] != Analysis::Rate::BOUND && found[:high] < ends.low)
      end

      # Of a process that works on requests in the same order, whichever that is.
      def same_shape?(*names) = @shapes.values_at(*names).uniq.one?

      # { name => share } of each round, without settings whose limit may hold at no rate in one.
      def shares
        @shares ||= begin
          all = @rounds.map { |round| round.to_h { |name, rate| [name, share_of(name, rate)] } }
          none = all.flat_map { |round| round.select { |_, share| share.nil? }.keys }
          all.map { |round| round.except(*none) }
        end
      end

      def share_of(name, capacity_per_s)
        processes, threads = @shapes.fetch(name)
        service = service(name) or return
        UsableShare.of(limit: @limit, service:, capacity_per_s:, processes:, threads:)
      end

      # Each round asks for it, and it takes all trials of a setting.
      def service(name)
        known = @known ||= {}
        known.fetch(name) { known[name] = @services.call(name) }
      end

      # The logarithms of the rates within the limit, of each round, for one part of the shares.
      def logs(part)
        (@logs ||= {})[part] ||= @rounds.zip(shares).map do |rates, shares|
          shares.to_h { |name, share| [name, Math.log(rates[name] * share.public_send(part))] }
        end
      end

      def means(part, name)
        level = 1 - (Result::ALPHA / [@names.size, 1].max)
        (@means ||= {})[part] ||= Stats::RoundMeans.new(logs(part))
        @means[part].interval(name, level:).exp
      end

      def groups
        names = @names.select { |name| comparable?(name) }.sort_by { |name| -rate(name).value }
        return [] if @rounds.size < Result::ROUNDS

        Stats::Groups.tested(names, alpha: Result::ALPHA) do |one, other|
          between(one, other, alpha: Result::ALPHA).p || 1.0
        end
      end

      def contrasts
        @contrasts ||= Stats::Contrasts.new(logs(:value), rounds: [*0...@rounds.size],
                                                          baseline: @present)
      end
    end
  end
end
