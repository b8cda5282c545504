# frozen_string_literal: true

module Mohs
  module Stats
    # An effect on groups that represent more of their kind, each with several differences of its
    # own: cohorts on hosts. No number of cohorts on these hosts can tell the effect on the next
    # host: the groups are a random level above the cohorts, and their means are the sample
    # (analysis of summary measures; Matthews and others, BMJ 300, 1990). Unlike an estimate of both
    # variances, this needs neither equal numbers of cohorts nor equal spreads.
    #
    # Simulated with 3 to 10 hosts of 3 to 12 cohorts, with spreads that differ up to threefold, and
    # with hosts that vary from not at all to three times as much as cohorts: intervals of 95 % hold
    # in 94 to 97 % of cases; those over all cohorts, which ignore the hosts, in 44 to 96
    # (benchmark/fleet/level.rb).
    class RandomLevel
      # Fewest differences with which a group is compared with the others.
      FEWEST = Interval::FEWEST

      # groups: { name => log differences, one or more }.
      #: (Hash[String, Array[Float]]) -> void
      def initialize(groups)
        @groups = groups
        @means = groups.transform_values { |values| Center.mean(values) }
      end

      # The effect over groups of this kind; its `count` is the number of groups.
      #: () -> Stats::Effect
      def overall = Effect.of(@means.values)

      # The effect of each group alone.
      #: () -> Hash[String, Stats::Effect]
      def effects = @groups.transform_values { |values| Effect.of(values) }

      # Names of groups that differ from the others beyond chance. The group that stands out most is
      # excluded from those that the next are compared with: it alone would set them all apart.
      #: (alpha: Float) -> Array[String]
      def apart(alpha:) = stepwise(@groups.select { |_, values| values.size >= FEWEST }, alpha)

      private

      # Any group could have been the one that stands out (Bonferroni). Of two groups it can't be
      # said which one does.
      def stepwise(groups, alpha)
        return [] if groups.size < 2

        out, effect = groups.to_h { |name, _| [name, departure(groups, name)] }
                            .min_by { |_, one| [one.p, -one.value.abs] }
        return [] if effect.p * groups.size >= alpha
        return groups.keys if groups.size == 2

        [out, *stepwise(groups.except(out), alpha)]
      end

      # The group's mean minus that of the others' means, with Welch's error (1938) and the degrees
      # of freedom of the group's own values: with Satterthwaite's (1946), estimated from so few,
      # one group was apart in 9 of 100 sets of ten equal groups; with these, in 1 to 3.
      def departure(groups, name)
        own, others = groups[name], groups.except(name)
        variance = squared_error(own) + (others.values.sum { squared_error(_1) } / (others.size**2))
        Effect.new(value: @means[name] - Center.mean(@means.values_at(*others.keys)),
                   error: Math.sqrt(variance), df: own.size - 1, count: groups.size)
      end

      def squared_error(values) = Spread.variance(values) / values.size
    end
  end
end
