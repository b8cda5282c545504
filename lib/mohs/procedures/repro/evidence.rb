# frozen_string_literal: true

module Mohs
  module Repro
    # What a run says about one claim: the contrasts of its variants, the p-values that are adjusted
    # for a family of claims, and the judgement. Used once; `adjusted` is called before `judgement`.
    class Evidence
      include Forecasts

      FIGURES = Analysis::Metric.fetch("throughput")

      attr_reader :claim

      #: (Repro::Claim, Repro::Test, (Analysis::Run | Repro::RawData)?) -> void
      def initialize(claim, test, run)
        @claim = claim
        @statement = claim.statement
        @test = test
        @run = run
        @sure = {}
        @thresholds = {}
      end

      # Is it one of the study's tests, measured or not?
      #: () -> bool
      def counted? = obstacle.nil? || undecided?

      # Is there anything to test?
      #: () -> bool
      def tested? = obstacle.nil? && contrasts.all? { |one| one.effect.count.positive? }

      # The chance of this result if the claim's opposite were true. The opposite of a difference is
      # no difference; the opposite of a range is a ratio beyond its ends. Both sides are tested, so
      # the chance is doubled. Of an order that can't be confirmed only the contradiction is tested:
      # what is not going to be reported must not loosen the tests of other claims.
      #: () -> Float
      def claim_p
        return doubled([above(1.0), below(1.0)]) if @statement.direction

        doubled([*(inside if absent.empty?), outside])
      end

      # The same if the ratio were as published.
      #: () -> Float
      def size_p = doubled([outside])

      # The same if the ratio were not as published: it has to differ from 1, and from both ends of
      # its range. Without a direction this is the claim's own p.
      #: () -> Float
      def agree_p = @statement.direction ? [claim_p, doubled([inside])].max : claim_p

      # { question => the largest p-value that would be significant, given those of the other claims
      # }.
      #: (Hash[Symbol, Float]) -> Hash[Symbol, Float]
      attr_writer :thresholds

      # Records a p-value as adjusted for its family.
      #: (Symbol, Float, alpha: Float) -> void
      def adjusted(kind, p, alpha:)
        @sure[kind] = p <= alpha
        @adjusted = p if kind == :claim_p
      end

      #: () -> Repro::Judgement
      def judgement
        return hindered(obstacle) if obstacle
        return hindered(missing) unless tested?

        outcome, *findings = @statement.direction ? by_direction : by_range
        return hindered(absent.values.first) if absent.any? && outcome != Judge::CONTRADICTED

        outcome, versions = @test.weigh(outcome, shown_by:)
        judged(outcome, [*findings, *rival, *versions], shown: interval)
      end

      private

      # What keeps the claim from being tested or decided, found before the start or by the run.
      def obstacle = @obstacle ||= @test.obstacle || unmeasured || fatal || excluded

      # A level whose trials vary more than those of other levels is not compared.
      def excluded
        levels = @test.levels.filter_map { |one| @run.cold_start&.level(one.variant) }
        level = levels.find(&:excluded?) or return
        note("repro_disagree", rates: level.trials.map(&:settled_per_s), stray: level.stray)
      end

      # The judgement if something kept the claim, or a part of it, from being tested.
      def hindered(why)
        otherwise = undecided?(why) ? Judge::UNDECIDED : Judge::NOT_TESTABLE
        judged(Judge.hindered(why, otherwise:), [why])
      end

      # A claim about a refused variant can't be tested here; a variant that failed, was cut or
      # ended too early may still be measured.
      def undecided?(why = obstacle) = @test.obstacle.nil? && why.code != "repro_refused"

      # Some of an order's rivals may not be compared: one that is can still contradict it.
      def unmeasured
        return note("repro_nothing") unless @run

        absent.values.first unless order? && rivals.any? && !absent.key?(@statement.of)
      end

      # An order of variants by their own figures.
      def order?
        others = [@statement.categories, @statement.over, @statement.since]
        @statement.kind == "order" && others.none?
      end

      # { level => why it has no figures; for a rival in an order, why it can't be compared }.
      def absent
        @absent ||= begin
          none = @test.levels.to_h { |one| [one.level, absence(one.variant)] }.compact
          others = order? && !none.key?(@statement.of) ? @statement.to - none.keys : []
          { **none, **others.to_h { |level| [level, incomparable(level)] }.compact }
        end
      end

      def incomparable(rival)
        found = contrast(metric, rival)
        found.fatal || (lacking([contrast(FIGURES, rival)]) if found.effect.count.zero?)
      end

      def rivals = @statement.to - absent.keys

      def absence(name)
        row = rows[name]
        return if row&.measured?
        return note("repro_unmeasured", variant: name, **ended) \
          if row.nil? || row.state == "waiting"

        failure = row.worst
        note(row.state == "refused" ? "repro_refused" : "repro_failed", variant: row.name,
             state: row.state, reason: failure&.reason || row.refusal,
             spoiled: failure&.spoiled&.then { |finding| finding.to_h.slice(:code, :values) })
      end

      # Of the first of these variants whose cold start was not recorded; nil if there is none.
      def unrecorded_of(cold, variants)
        name = variants.find { |one| cold.level(one).nil? }
        (absence(name) || note("repro_unmeasured", variant: name)) if name
      end

      # How the run ended, which may be why a variant had no turn; a source's data say nothing.
      def ended = @run.is_a?(Analysis::Run) ? { ended: @run.state } : {}

      def rows = @rows ||= @run.rows.to_h { |row| [row.name, row] }

      def fatal = contrasts.filter_map(&:fatal).first

      def contrasts(of = metric)
        (@contrasts ||= {})[of] ||=
          if of == Metrics::OVERHEAD
            of_pairs { |pair, own| Pairs.new(@run).overheads(pair, own) }
          elsif @statement.since
            of_pairs { |pair, own| Pairs.new(@run).gains(of, pair, own) }
          else
            ratios(of)
          end
      end

      def ratios(of)
        rivals.map { |level| contrast(of, level) }
      end

      def contrast(metric, rival)
        (@rivals ||= {})[[metric, rival]] ||=
          @run.contrast(metric, @test.variant(rival), @test.variant(@statement.of))
      end

      def of_pairs
        own, *others = @statement.pairs.map { |pair| @test.variants(pair) }
        others.map { |pair| yield pair, own }
      end

      def metric
        @statement.over ? Metrics::OVERHEAD : Metrics.fetch(@statement.metric)
      end

      # Both variants ran, but never in the same cohort, or their figure is missing: a percentile of
      # too few requests.
      def missing
        return note("repro_no_overhead") if metric == Metrics::OVERHEAD

        lacking(contrasts(FIGURES))
      end

      # figures: contrasts of the same variants in a metric that every measured variant has.
      def lacking(figures)
        beside = figures.all? { |one| one.effect.count.positive? }
        beside ? note("repro_no_figure", metric: metric.title) : note("repro_never_beside")
      end

      def doubled(chances) = [2 * chances.min, 1.0].min

      # The chance that the ratio is not above `bound` although it seems to be; with several
      # variants, for the one nearest to the bound.
      def above(bound) = contrasts.map { |one| one.above(bound) }.max

      def below(bound) = contrasts.map { |one| one.below(bound) }.max

      # The chance that the ratio is outside the statement's range although it seems to be inside:
      # all ends have to hold, for all variants.
      def inside
        [*(above(@statement.low) if @statement.low), *(below(@statement.high) if @statement.high)]
          .max
      end

      # The chance that the ratio is inside although it seems to be outside: one end suffices, so
      # the chances add up, those of rivals included that are missing, perhaps for a slow boot.
      def outside
        count = [contrasts.size, @statement.to.size].max
        [contrasts.map { |one| outside_p(one) }.min * count, 1.0].min
      end

      # The same for one contrast.
      def outside_p(contrast)
        [*(contrast.below(@statement.low) if @statement.low),
         *(contrast.above(@statement.high) if @statement.high)].min
      end

      # The variants of the contrast that is outside most surely.
      def shown_by
        at = contrasts.index(outermost)
        beside = (@statement.over || @statement.since).to_a.values_at(0, at + 1)
        @test.variants([@statement.of, rivals[at], *beside].compact)
      end

      def outermost = contrasts.min_by { |one| outside_p(one) }

      # Judges a claim of a difference of about some size. Totals that surely show the opposite
      # leave it undecided.
      def by_direction
        if @sure[:claim_p] && apart? && right?
          opposite = totals.find { |one| one.low && opposite?(one) }
          return opposite ? [Judge::UNDECIDED, otherwise(opposite)] : of_another_size
        end
        return [Judge::CONTRADICTED, note("repro_opposite", **seen)] if @sure[:claim_p] && apart?
        return [Judge::CONTRADICTED, note("repro_smaller")] if @sure[:size_p] && much_smaller?

        [Judge::UNDECIDED, needed]
      end

      def of_another_size
        return agreed if @sure[:agree_p] && within?

        [Judge::DIRECTION, @sure[:size_p] && beyond? ? other_size : size_open]
      end

      # The difference surely has another size than published: `larger` if it is a larger
      # difference.
      def other_size
        above = interval.low > high
        note("repro_other_size", larger: above == (@statement.direction == :more), **range)
      end

      # `rounds` is how many would decide the size: nil if too many are needed.
      def size_open
        note("repro_size_open", rounds: size_rounds, **range,
             **({ alone: within? ? "within" : "beyond" } if within? || beyond?).to_h)
      end

      # Judges a claim of a range without a direction of its own.
      def by_range
        return agreed if @sure[:claim_p] && within?
        return contradicted if @sure[:claim_p] && beyond?

        [Judge::UNDECIDED, needed]
      end

      # The rival that shows it is shown.
      def contradicted
        @nearest = outermost
        [Judge::CONTRADICTED, beyond]
      end

      # In trimmed slices, variants that only differ in their pauses look equal: so the totals, if
      # there are any, also have to be within a range around 1, however the claim is written. For
      # any other range totals may be unsure, but not surely outside.
      def agreed
        against = totals.find { |one| @statement.around_one? ? !within?([one]) : out?(one) }
        against ? [Judge::UNDECIDED, otherwise(against)] : [Judge::AGREES, *as_claimed]
      end

      # Says how near to the claim that is: its range, its margin, or only a direction.
      def as_claimed
        case @statement.kind
        when "order"
          [note("repro_ordered", **seen, **others)]
        when "equal" then [note("repro_equal", margin: @statement.high - 1)]
        else [note("repro_within", sized: @statement.kind == "ratio", **range)]
        end
      end

      # Of several others, those that the sentence names besides the one that was seen.
      def others
        return {} if contrasts.size < 2

        all = @statement.categories ? @statement.categories.drop(1) : rivals
        at = contrasts.index(nearest)
        { others: all.reject.with_index { |_, index| index == at } }
      end

      # What was seen: of which level, beside which other, by which metric.
      def seen
        index = contrasts.index(nearest)
        pairs = %i[since categories].to_h do |key|
          own, *others = @statement[key]
          [key, own && [own, others.fetch(index)]]
        end
        { of: @statement.of, rival: rivals.fetch(index), more: interval.value > 1,
          metric: @statement.metric, **pairs }.compact
      end

      # Of several, the one that the figure is relative to.
      def rival
        return [] if @statement.cold? || @statement.to.size < 2

        [note("repro_rival", rival: rivals.fetch(contrasts.index(nearest)), farthest: range?)]
      end

      # Intervals that include pauses; empty for a metric without totals.
      def totals = @totals ||= contrasts.filter_map(&:total_interval)

      # The finding that the totals say something other than the claim.
      def otherwise(total)
        return note("repro_no_total") unless total.low
        return note("repro_total", ratio: total.value) if @statement.around_one?

        note("repro_total_outside", ratio: total.value, interval: [total.low, total.high])
      end

      def right? = (interval.value > 1) == (@statement.direction == :more)

      def apart? = interval.excludes?(1)

      def much_smaller?
        !interval.low.nil? && @statement.much_smaller?(interval.low, interval.high)
      end

      # Are all intervals within the range?
      def within?(intervals = contrasts.map(&:interval))
        intervals.all? { |one| one.low && one.low >= low && one.high <= high }
      end

      # Is any interval completely outside the range?
      def beyond?
        contrasts.map(&:interval).any? { |one| out?(one) }
      end

      def out?(interval) = interval.low && (interval.low > high || interval.high < low)

      # Does the interval exclude 1 on the side that isn't claimed?
      def opposite?(interval)
        @statement.direction == :more ? interval.high < 1 : interval.low > 1
      end

      def beyond
        order = @statement.kind == "order" ? { **seen, **others } : {}
        note("repro_outside", equal: @statement.kind == "equal", **order, **range)
      end

      def low = @statement.low || 0.0
      def high = @statement.high || Float::INFINITY
      def range = { low: @statement.low, high: @statement.high }

      # The interval that is shown: with several variants, the nearest rival's; of those that should
      # be as much, that of the one that differs most.
      def interval = nearest.interval

      def nearest
        @nearest ||= if range? then contrasts.max_by { |one| one.effect.value.abs }
                     else
                       contrasts.public_send(@statement.low ? :min_by : :max_by) do |one|
                         one.effect.value
                       end
                     end
      end

      # Is the range limited on both sides?
      def range? = !@statement.low.nil? && !@statement.high.nil?

      # shown: its interval, if something was compared.
      def judged(outcome, findings, shown: nil)
        Judgement.new(claim: @claim, outcome:, interval: shown, p: (claim_p if shown),
                      adjusted: (@adjusted if shown), findings:, levels: @test.levels)
      end

      def note(code, **values) = Analysis::Finding.note(code, **values)
    end
  end
end
