# frozen_string_literal: true

module Mohs
  module Analysis
    # Which variants of a run differ: effects over its cohorts, all judged together
    # (Stats::Contrasts determines the spread used).
    class Effects
      METRIC = :throughput_per_s

      # Rounds that an interval needs.
      ROUNDS = Stats::Interval::FEWEST

      # Steadier than throughput on a busy host, and used if throughput decides nothing and this
      # metric's interval is a third as wide or less (method, sections 1.7 and 3h). It is a second
      # look at the same candidates, so it has a fifth of the verdicts' chance of error, in addition
      # to theirs.
      QUIET_METRIC = :cpu_us_per_request
      QUIETER = 3
      QUIET_SHARE = 0.2

      # An interval that is wider by this factor, for what a server did while others were measured,
      # is told.
      WIDER = 1.1

      # The tests of whether a lead is steady and of whether memory differs have a fifth, too.
      DRIFT_SHARE = 0.2
      MEMORY_SHARE = 0.2

      # How the intervals were computed: `spread` is "pooled" or "separate", nil if there is no
      # interval; `degrees` the degrees of freedom of a pooled spread; `bartlett` the chance of
      # spreads this unequal if all were alike; `apart` the names of variants that vary more than
      # the others; `alpha` the chance of each interval to miss.
      Inference = Struct.new(:spread, :degrees, :bartlett, :apart, :alpha, keyword_init: true) do
        include Value
      end

      # candidates: names of measured variants but the baseline. alpha: the chance that any of them
      # is called faster or slower without being so. adjustment: that of the cohorts, for its bias.
      #: (Array[Store::Cohort], baseline: String, candidates: Array[String], ?alpha: Float, ?adjustment: Analysis::SpeedAdjustment) -> void
      def initialize(cohorts, baseline:, candidates:, alpha: Verdict::ALPHA,
                     adjustment: SpeedAdjustment.none)
        @cohorts = cohorts.map do |cohort|
          { round: cohort.round, host: cohort.host_name, slices: slices(cohort),
            memory: memory(cohort), trials: measured(cohort) }
        end
        @trials = cohorts.flat_map(&:trials)
        @baseline = baseline
        @candidates = candidates
        @adjustment = adjustment
        @family = alpha
        @alpha = shared(candidates.size)
      end

      # Relative to the baseline; an effect of no cohorts if the two were never measured side by
      # side.
      #: (String) -> Stats::Effect
      def effect(name)
        @effects ||= Hash.new { |known, one| known[one] = against(one, METRIC, alpha: @alpha) }
        @effects[name]
      end

      # Does the variant have an interval?
      #: (String) -> bool
      def interval?(name) = effect(name).count >= ROUNDS

      #: (String) -> Analysis::Verdict
      def verdict(name)
        findings = [ended(name, @baseline), silent(@baseline, name), slowed_by(name),
                    *may_rise(name), drift(name), quieter(name)].compact
        Verdict::Judge.call(judged(name), against: @baseline, variant: name, alpha: @alpha,
                                          total: total(name), findings:)
      end

      # The same for the totals over all slices, pauses included.
      #: (String) -> Stats::Effect
      def total(name)
        for_verdict(totals(METRIC).between(@baseline, name, alpha: @alpha), METRIC, @baseline, name)
      end

      # The ratio of the CPU time a request of any two variants, at the level of a verdict.
      #: (String, String) -> Stats::Interval
      def cpu(one, other)
        effect = contrasts(QUIET_METRIC).between(one, other, alpha: @alpha)
        for_verdict(effect, QUIET_METRIC, one, other).reverse.interval(alpha: @alpha)
      end

      # The ratio of `other` over `one` in any metric, as a log ratio of the metric itself.
      #: (Analysis::Metric, String, String) -> Stats::Effect
      def ratio(metric, one, other)
        difference = contrasts_by(metric).between(one, other, alpha: Verdict::ALPHA)
        of_metric(metric, difference.biased(ratio_bias(metric.key, one, other)))
      end

      # The same for the totals over all slices, pauses included; nil for a metric without totals.
      #: (Analysis::Metric, String, String) -> Stats::Effect?
      def total_ratio(metric, one, other)
        return unless Stats::Sample::TOTALLED.include?(metric.key)

        difference = totals(metric.key).between(one, other, alpha: Verdict::ALPHA)
        of_metric(metric, difference.biased(ratio_bias(metric.key, one, other)))
      end

      # Why a comparison of the two in a metric means nothing; nil if nothing prevents one. A server
      # that works while the other is measured (a JIT that still compiles) slows that one, not
      # itself: if it took all that the other could have, there is no result in what this makes
      # worse. What is less than that widens the interval of their ratio.
      #: (Analysis::Metric, String, String) -> Analysis::Finding?
      def fatal_of(metric, one, other)
        ended(one, other) || silent(one, other) || ruled_out(metric.key, one, other) ||
          [one, other].filter_map { |name| driver(name).ruling_out(metric.key) }.first
      end

      # Does its memory at rest differ from the baseline's beyond chance? False before ROUNDS
      # rounds.
      #: (String) -> bool
      def memory_differs?(name)
        @memory ||= contrasts_of(:memory) { |origin, own| own - origin }
        alpha = MEMORY_SHARE * @alpha
        @memory.between(@baseline, name, alpha:).interval(alpha:).excludes?(1)
      end

      # How the effect holds across the hosts of a fleet; nil unless at least two hosts measured
      # both variants.
      #: (String) -> Analysis::OverHosts?
      def over_hosts(name)
        differences = @cohorts.filter_map do |cohort|
          sides = cohort[:slices].values_at(@baseline, name)
          difference = Stats::Effect.difference(*sides, METRIC) if cohort[:host] && sides.all?
          [cohort[:host], difference] if difference
        end
        OverHosts.of(differences, alpha: @alpha, bias: verdict_bias(METRIC, @baseline, name).most)
      end

      # Names of variants that can't be distinguished, all pairs judged together.
      #: (Array[String]) -> Array[Array[String]]
      def groups(names)
        alpha = shared(names.combination(2).size)
        Stats::Groups.tested(names, alpha: @family) { |one, other| p(one, other, alpha) }
      end

      #: () -> Analysis::Effects::Inference
      def inference
        model = contrasts(METRIC)
        spread = model.pooled? ? "pooled" : "separate" if @candidates.any? { |one| interval?(one) }
        Inference.new(spread:, degrees: (model.df if spread == "pooled"), bartlett: model.bartlett,
                      apart: model.apart, alpha: @alpha)
      end

      private

      # { variant => its measured trials }.
      def measured(cohort) = cohort.trials.select(&:measured?).group_by(&:variant)

      # { variant => its measured slices }.
      def slices(cohort)
        measured(cohort).transform_values { |trials| trials.flat_map(&:measured_slices) }
      end

      # { variant => the mean of the logarithms of its servers' memory }, for variants that have it.
      def memory(cohort)
        measured(cohort).filter_map do |name, trials|
          sizes = trials.map { |trial| Figures.new(trial).memory_bytes }
          [name, Stats::Center.mean(sizes.map { |bytes| Math.log(bytes) })] if sizes.all?
        end.to_h
      end

      # The level of one of so many intervals, equally shared, so that each covers the truth for all
      # of them together (Bonferroni).
      def shared(count) = @family / [count, 1].max

      def against(name, metric, alpha:)
        return Stats::Effect.new(value: 0.0, count: 1) if name == @baseline

        contrasts(metric).between(@baseline, name, alpha:).biased(@adjustment.bias(metric))
      end

      # How far the ratio of any two variants may be off: by an adjustment, by what one took from
      # the other, and by what they lost of their rates while the driver had no core. Of the latter
      # a run's verdicts have only a warning.
      def ratio_bias(metric, one, other)
        verdict_bias(metric, one, other) + lost(metric, [one, other])
      end

      def lost(metric, names) = names.map { |name| driver(name).bias(metric) }.max

      # The effect of the metric itself, from one in which better is bigger.
      def of_metric(metric, effect) = metric.more ? effect : effect.reverse

      def for_verdict(effect, metric, one, other)
        effect.biased(verdict_bias(metric, one, other))
      end

      # How far the lead of the second of two variants may be off: by the adjustment of either, by
      # what one of them took from the other, and by what one may still gain.
      def verdict_bias(metric, one, other)
        pair_bias(metric, one, other) + @adjustment.bias(metric)
      end

      def pair_bias(metric, one, other)
        slowed_bias(metric, one, other) +
          Stats::Bias.of_lead(metric, unwarmed(other), unwarmed(one))
      end

      def slowed_bias(metric, one, other)
        Stats::Bias.of_lead(metric, activity(other), activity(one))
      end

      def contrasts(metric)
        (@contrasts ||= {})[metric] ||=
          contrasts_of(:slices) { |origin, own| Stats::Effect.difference(origin, own, metric) }
      end

      def totals(metric)
        (@totals ||= {})[metric] ||=
          contrasts_of(:slices) { |a, b| Stats::Effect.total_difference(a, b, metric) }
      end

      def contrasts_by(metric)
        return contrasts(metric.key) if Metric::OF_SLICES.include?(metric.key)

        (@contrasts ||= {})[metric.key] ||=
          contrasts_of(:trials, without: lacking(metric)) do |origin, own|
            metric.difference(origin, own)
          end
      end

      # The rounds in which a percentile is missing are the slow ones: the others would favour a
      # variant that is slow in them, so one that lacks it in any round has none.
      def lacking(metric)
        return [] unless metric == Metric::TAIL

        @cohorts.flat_map do |cohort|
          cohort[:trials].select { |_, own| own.any? { |one| metric.value(one).nil? } }.keys
        end
      end

      # Contrasts of what two variants of a cohort have; the block gives the log difference.
      def contrasts_of(what, without: [], &difference)
        Stats::Contrasts.new(@cohorts.map { |one| values(one[what].except(*without), &difference) },
                             rounds: @cohorts.map { |cohort| cohort[:round] },
                             baseline: @baseline)
      end

      # The value of each variant of a cohort less that of the baseline or, without it, of the first
      # variant.
      def values(all)
        origin = all.key?(@baseline) ? @baseline : all.keys.first
        all.to_h { |name, own| [name, name == origin ? 0.0 : yield(all[origin], own)] }.compact
      end

      def p(one, other, alpha)
        return 1.0 if ruled_out(METRIC, one, other)

        for_verdict(contrasts(METRIC).between(one, other, alpha:), METRIC, one, other).p || 1.0
      end

      def quieter(name)
        loud = effect(name).interval(alpha: @alpha)
        return unless loud.low&.<=(1) && loud.high >= 1

        alpha = QUIET_SHARE * @alpha
        effect = contrasts(QUIET_METRIC).between(@baseline, name, alpha:)
        effect = for_verdict(effect, QUIET_METRIC, @baseline, name)
        quiet = Verdict::Judge.call(effect, against: @baseline, alpha:)
        return unless quiet.differs?

        ratio = Math.log(loud.high / loud.low) / Math.log(quiet.high / quiet.low)
        return if ratio < QUIETER

        Finding.note("quieter_metric", outcome: quiet.outcome.to_s,
                                       **quiet.to_h.slice(:effect, :low, :high))
      end

      # A variant that ends under load, or responds wrongly, may do so where it is slow: leaving out
      # those boots would favour it, as with silence. So would leaving out those that still got
      # faster, if there are more than chance explains, or if one's warm-up took too long to be
      # repeated.
      def ended(*names)
        names.each do |variant|
          own = trials(variant).reject(&:lost?)
          rose, ended = own.select(&:ended_under_load?).partition(&:still_rose?)
          trials = own.size
          return fatal("ended_under_load", variant, ended: ended.size, trials:) if ended.any?

          too_long = !rose.all?(&:once_more?)
          return fatal("still_rose", variant, rose: rose.size, trials:, too_long:) if
            too_long || !Store::Trial.rise_by_chance?(rose.size, trials)
        end
        nil
      end

      def fatal(code, variant, **values)
        Finding.new(code:, severity: :bad, subject: variant, values: { variant:, **values })
      end

      # A variant that gives no correct response for more slices than trimming takes has no speed.
      # Leaving out that cohort would favour it.
      def silent(one, other)
        ranked = sides(one, other).filter_map do |pair|
          Stats::Effect.ranked_difference(*pair, METRIC)
        end
        worst = ranked.find(&:infinite?) or return
        fatal("silent", worst.negative? ? other : one)
      end

      # What the interval of a variant has from what it, or the baseline, did while the other was
      # measured: nothing if that is little beside chance. There is no verdict where a lead may be
      # due to what the leader took.
      def slowed_by(name)
        chance = effect(name)
        slowed = chance.biased(slowed_bias(METRIC, @baseline, name) + @adjustment.bias(METRIC))
        chance, slowed = [chance, slowed].map { |one| one.interval(alpha: @alpha) }
        return if chance.low.nil?

        lead = effect(name).value
        leader = activity(lead.negative? ? @baseline : name)
        lost = chance.excludes?(1) && outcome(slowed) == :undecided
        return leader.finding if lost && leader.loss >= lead.abs

        wider = Math.log(slowed.high / slowed.low) / Math.log(chance.high / chance.low)
        return unless wider > WIDER || outcome(chance) != outcome(slowed)

        (lost ? leader : [activity(@baseline), activity(name)].max_by(&:loss)).widening
      end

      def outcome(interval)
        Verdict::Judge.outcome(interval) { Verdict::Judge.within?(interval, Verdict::MARGIN) }
      end

      # The effect that the verdict is made of.
      def judged(name) = for_verdict(effect(name), METRIC, @baseline, name)

      # Which of the two may still get faster, if that widens the interval by more than a margin.
      def may_rise(name)
        margin = Stats::Margin.log(Verdict::MARGIN)
        [name, @baseline].permutation.filter_map do |one, other|
          unwarmed(one).widening(METRIC, unwarmed(other), margin)
        end
      end

      def activity(name)
        (@activity ||= {})[name] ||= IdleActivity.of(trials(name))
      end

      def unwarmed(name)
        (@unwarmed ||= {})[name] ||= Unwarmed.of(trials(name))
      end

      def ruled_out(metric, *names)
        [names.map { |name| activity(name) },
         names.map { |name| unwarmed(name) }].each do |one, other|
          found = one.ruling_out(metric, other) || other.ruling_out(metric, one)
          return found if found
        end
        nil
      end

      def driver(name)
        (@drivers ||= {})[name] ||= DriverWait.of(trials(name))
      end

      def trials(name) = @trials.select { |trial| trial.variant == name }

      # The slices of two variants, for each cohort that has both.
      def sides(one, other)
        @cohorts.map { |cohort| cohort[:slices].values_at(one, other) }.select(&:all?)
      end

      # All candidates are one family of tests, separate from that of the verdicts. Nearly every
      # move is larger than a lead of about 0, so only a lead beyond chance can be spoiled by one.
      def drift(name)
        blocks = sides(@baseline, name).map do |pair|
          Stats::Effect.block_differences(*pair, METRIC).sort.map(&:last)
        end
        Drift.call(blocks, margin: Verdict::MARGIN, lead: effect(name).value.to_f,
                           sure: lead?(name), of: nil, over: @baseline) do |moves|
          Stats::Interval.of(moves, level: 1 - (DRIFT_SHARE * @alpha))
        end
      end

      def lead?(name) = effect(name).interval(alpha: @alpha).excludes?(1)
    end
  end
end
