# frozen_string_literal: true

module Mohs
  module Tune
    # The highest rates within the limit, as the searches of a tuning found them on several boots
    # of each setting, and how they compare. Pure.
    class HighestRates
      # searches: the cohorts that search, planned ones included. present: the name of the present
      # setting.
      #: (Array[Store::Cohort], present: String) -> void
      def initialize(searches, present:)
        @searches = searches
        @present = present
      end

      # What the searches of a setting found, one for each of its boots (Store::Trial#found).
      #: (String) -> Array[Hash[Symbol, untyped]]
      def found(name) = trials.fetch(name, []).select(&:measured?).filter_map(&:found)

      # The highest rate of a setting over boots; of a single boot, as its search has it. 0 if on
      # any boot the limit held at no rate; without a high end if any is a bound; nil if unknown.
      # The intervals of rates that were found on all boots take account of how all of these rates
      # vary, and those of all settings hold jointly.
      #: (String) -> Stats::Interval?
      def rate(name)
        all = found(name)
        return if all.empty? || broke?(name)
        return Stats::Interval.new(value: 0.0, count: all.size) if
          all.any? { |one| one[:outcome] == "none" }

        rate = estimate(name, all.select { |one| one[:rate_per_s] })
        rate && bound?(name) ? rate.bound : rate
      end

      # Did the limit hold at every rate that was tried in some search, or did the server then
      # serve more than its search might try?
      #: (String) -> bool
      def bound?(name) = found(name).any? { |one| one[:outcome] == Analysis::Rate::BOUND }

      # Did one of its servers end, or stop answering, while its rate was searched? Then the rates
      # of its other servers can't be relied on.
      #: (String) -> bool
      def broke?(name)
        trials.fetch(name, []).any? do |one|
          !one.measured? || one.found.to_h[:outcome] == "gone"
        end
      end

      # Was the rate found on every boot of each of these? A bound is not a rate.
      #: (*String) -> bool
      def comparable?(*names) = (names - comparable).empty?

      # { name => "ab" }: settings that share a letter were not told apart, all pairs judged
      # together.
      #: () -> Hash[String, String]
      def marks = @marks ||= Stats::Groups.marks(groups)

      # By how much `one` serves more than `other`, a logarithm; nil with too few boots, or if one
      # of the two rates is only a bound.
      #: (String, String) -> Stats::Effect?
      def lead(one, other)
        found = contrasts.between(other, one, alpha: Result::ALPHA)
        found if found.count >= Result::ROUNDS
      end

      # The ratio of the highest rate of `other` to that of `one`; nil if no boot has both. The
      # intervals of all settings hold jointly.
      #: (String, String) -> Stats::Interval?
      def ratio(one, other)
        alpha = share_of_alpha(sought.size)
        found = contrasts.between(one, other, alpha:)
        found.interval(alpha:) if found.count.positive?
      end

      # What a setting gains over the present one. alpha: the chance that the interval misses; so
      # that those of all gains hold jointly, if none is given.
      #: (Tune::Result::Setting?, ?alpha: Float) -> Tune::Gain
      def gain(pick, alpha: share_of_alpha(sought.size - 1))
        Gain.new(pick, present: @present, searches: @searches, contrasts:, found: comparable,
                       alpha:)
      end

      # [boots on which all settings were searched so far, boots planned] until the searches are
      # over; then nil.
      #: () -> [Integer, Integer]?
      def boots_so_far
        over = @searches.none? { |cohort| cohort.queued? || cohort.running? }
        [@searches.count(&:done?), @searches.size] unless over
      end

      private

      # known: what the searches found that have a rate.
      def estimate(name, known)
        rates = known.map { |one| one[:rate_per_s] }
        return if rates.empty?

        single = known.first.slice(:low, :high) if rates.one?
        return Stats::Interval.new(**single, value: rates.first, count: 1) if single

        level = 1 - share_of_alpha(sought.size)
        return Stats::Interval.of_positive(rates, level:) unless comparable?(name)

        (@means ||= Stats::RoundMeans.new(logs)).interval(name, level:).exp
      end

      # Names of the settings whose rates were to be found.
      def sought = @searches.flat_map { |one| one.spec.variants }.uniq

      def share_of_alpha(count) = Result::ALPHA / [count, 1].max

      def groups
        names = logs.flat_map(&:keys).uniq.sort_by { |name| -mean_log(name) }
        return [] if logs.size < Result::ROUNDS

        Stats::Groups.tested(names, alpha: Result::ALPHA) do |one, other|
          contrasts.between(one, other, alpha: Result::ALPHA).p || 1.0
        end
      end

      def mean_log(name) = Stats::Center.mean(logs.filter_map { |one| one[name] })

      # { name => log of its highest rate } for each round of searches.
      def logs
        @logs ||= @searches.select(&:done?).map do |cohort|
          found = cohort.trials.select { |one| one.measured? && comparable.include?(one.variant) }
          found.to_h { |one| [one.variant, Math.log(one.found[:rate_per_s])] }
        end
      end

      # Settings whose rate was found on every boot.
      def comparable
        @comparable ||= trials.select do |_, all|
          all.all? { |one| one.found.to_h[:outcome] == "found" }
        end.keys
      end

      # { name => its trials }, without those that were lost.
      def trials
        @trials ||= @searches.flat_map(&:trials).reject(&:lost?).group_by(&:variant)
      end

      def contrasts
        @contrasts ||= Stats::Contrasts.new(logs, rounds: [*0...logs.size], baseline: @present)
      end
    end
  end
end
