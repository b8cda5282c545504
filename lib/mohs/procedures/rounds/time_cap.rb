# frozen_string_literal: true

module Mohs
  module Rounds
    # Keeps the announced time: as soon as boots show that the run would take longer, it cuts what
    # is left. If that is not enough, or if the run would end too early, it announces another time.
    # Rounds go first, down to the three that an interval needs; then candidates, down to one,
    # experimental JITs before the most expensive. Variants or rounds that the user asked for stay,
    # unless the user also gave a budget: to keep it, even the three rounds are cut, as Budget does
    # if it knows the costs. Within a budget a longer time is announced and nothing is cut. First
    # boots only cut rounds, since warm-ups may still turn out short; but if the least that has to
    # stay does not fit, first boots announce its time. If a cohort shows that the run would take
    # less, rounds that were cut come back; after the first cohort, other rounds are added, too.
    # Nothing here depends on measured results. Pure.
    class TimeCap
      # The announced time is kept within this share.
      WITHIN = 0.1

      # Rounds are cut until the rest exceeds the announced time by at most this share: half of what
      # is allowed, since cohorts differ. One round less, of five or six, would end the run a fifth
      # too early.
      OVER = 0.05

      # The plan from now on; what was `cut`, as in Plan#dropped; `announced_s`: the new time of the
      # whole run, nil if the old one is kept; `first`: no time was announced before.
      Change = Struct.new(:plan, :cut, :announced_s, :first, keyword_init: true) do
        include Value
      end

      # plan: of the whole run. announced_s: of what is to run (less than the whole if a run is
      # resumed). further: cohorts of rounds that may be added (Planner#further). open: announced_s
      # is only an assumption that nobody was told.
      #: (Study, Plan, Plan::Estimator, ?announced_s: Numeric, ?further: Array[Plan::CohortSpec], ?open: bool) -> void
      def initialize(study, plan, estimator, announced_s: plan.estimate_s, further: [],
                     open: false)
        @study = study
        @rules = study.rules
        @planned = @plan = plan
        @estimator = estimator
        @first_s = @announced_s = open ? open_s(announced_s) : announced_s
        @further = further
      end

      # The first announcement of an open run, when its first cohort is over: as many rounds as fit
      # in the budget, or else in the time of a default run. A number of rounds that the user has
      # never read is not cut: fewer are planned, and only if the budget leaves no interval, that is
      # said. Without an announced time if the budget leaves nothing to measure; nil if nothing was
      # left anyway.
      #: (Numeric, Array[Integer]) -> Rounds::TimeCap::Change?
      def first(sunk_s, queued)
        change = call(sunk_s, queued)
        return if @queued.empty?

        forget_rounds unless @rules.rounds
        look(sunk_s, queued)
        grow(spare_rounds)
        @further = []
        cut = [*(change.cut & @plan.dropped if change), *drop_rounds]
        return Change.new(plan: @plan, cut:) if @queued.empty?

        @first_s = @announced_s = total_s(most).ceil
        Change.new(plan: @plan, cut:, announced_s: @announced_s, first: true)
      end

      # Returns the change needed to keep the time, nil if nothing has to change. sunk_s: seconds
      # until the end of the current cohort; queued: the positions of the cohorts after it; cold:
      # names of variants in that cohort that are not warm yet: it need not go on with them; sure:
      # warm-ups were seen, too.
      #: (Numeric, Array[Integer], ?cold: Array[String], ?sure: bool) -> Rounds::TimeCap::Change?
      def call(sunk_s, queued, cold: [], sure: true)
        look(sunk_s, queued, cold)
        whole_s = total_s(most)
        return if @queued.empty? || whole_s <= kept_s
        return announce(whole_s) if whole_s <= limit_s

        all_s = total_s(fewest)
        rounds = fitting_rounds
        rounds = within_budget(rounds) if sure && @rules.budget_s
        least_s = total_s(rounds)
        unless sure
          rounds = fewest if @out.any?
          @out.clear
        end
        # There is nothing left to leave a variant out of.
        @out.clear if @queued.none? { |one| one.round <= rounds } && !@out.intersect?(@cold)
        change(rounds, whole_s, least_s, all_s)
      end

      # The change when a cohort is over, nil if nothing has to change: adds as many rounds as fit
      # in the time that was announced first, and announces a shorter time if the run still ends too
      # early. Rounds that were never planned are only added after the first cohort: later there is
      # less to gain than a reliable end time is worth to the user.
      #: (Numeric, Array[Integer]) -> Rounds::TimeCap::Change?
      def more(sunk_s, queued)
        look(sunk_s, queued)
        rounds = spare_rounds
        @further = []
        total_s = total_s(most) + seconds(rounds.flatten)
        early = total_s > @sunk_s && total_s < @announced_s * (1 - WITHIN)
        return (announce(total_s) if early) if rounds.empty?

        grow(rounds)
        early ? announce(total_s) : Change.new(plan: @plan, cut: [], announced_s: nil)
      end

      private

      def announce(total_s)
        @announced_s = total_s.ceil
        Change.new(plan: @plan, cut: [], announced_s: @announced_s)
      end

      # How long an open run may take.
      def open_s(assumed_s)
        return @rules.budget_s if @rules.budget_s

        @rules.rounds ? Float::INFINITY : [Budget::DEFAULT_S, assumed_s].max
      end

      def forget_rounds
        kept = @plan.dropped.reject { |cut| cut[:code] == "cut_rounds" }
        @plan = Plan.new(**@plan.each_pair.to_h, dropped: kept)
      end

      # Why there are too few rounds for an interval, as if they had been planned (Budget).
      def drop_rounds
        return [] unless @rules.budget_s && @rules.rounds.nil?
        return [] unless @plan.rounds < [Budget::ROUNDS, @planned.rounds].min

        round_s = seconds(@planned.cohorts.select { |one| one.baseline && one.round == 1 })
        cut = [Budget.dropped_rounds(@plan.rounds, of: Budget::ROUNDS, round_s:,
                                                   budget_s: @rules.budget_s)]
        others = @plan.dropped.reject { |one| one[:code] == cut.first[:code] }
        @plan = Plan.new(**@plan.each_pair.to_h, dropped: others + cut)
        cut
      end

      def look(sunk_s, queued, cold = [])
        @sunk_s = sunk_s
        @cold = cold
        @out = []
        @queued, @others = @plan.cohorts.partition do |cohort|
          cohort.baseline && queued.include?(cohort.position)
        end
      end

      # Rounds that were cut, then rounds that were never planned, with variants that can be served.
      # Empty if variants were dropped: the user would want those first.
      def spare
        return [] unless (@plan.dropped - earlier).empty?

        cohorts = (@planned.cohorts - @plan.cohorts) + @further
        cohorts.reject { |one| @estimator.still_tried(one.variants).empty? }
      end

      # Those of the spare rounds that fit in the time that was announced first, and in the budget.
      def spare_rounds
        most_s = [@first_s, *@rules.budget_s].min
        total_s = total_s(most)
        spare.group_by(&:round).values.take_while do |cohorts|
          (total_s += seconds(cohorts)) <= most_s
        end
      end

      def grow(rounds)
        return if rounds.empty?

        @queued += rounds.flatten
        @plan = grown_plan(rounds)
        @planned = @plan if earlier.empty?
      end

      def grown_plan(rounds)
        count = rounds.last.first.round
        # Not of @planned: an open run has announced fewer rounds than it assumed.
        dropped = earlier.select { |cut| count < cut[:of] }.map do |cut|
          { **cut, rounds: cut[:of] - count, **round(rounds.last, cut) }
        end
        cohorts = (@plan.cohorts + rounds.flatten).sort_by(&:position)
        Plan.new(**@plan.each_pair.to_h, cohorts:, dropped:,
                                         rounds: [@plan.rounds, count].max)
      end

      # How long a round takes by now, if that was why it was cut.
      def round(cohorts, cut)
        values = cut[:values]
        values.key?(:round_s) ? { values: { **values, round_s: seconds(cohorts).ceil } } : {}
      end

      # Up to this time the announcement stays.
      def kept_s = [@announced_s * (1 + WITHIN), *@rules.budget_s].min

      # Up to this time nothing is cut: a first announcement that seemed too long may still turn out
      # right.
      def limit_s = [longest_s * (1 + WITHIN), *@rules.budget_s].min

      def target_s = [longest_s * (1 + OVER), *@rules.budget_s].min

      # A budget was given to be used: to keep a shorter time that was announced within it, nothing
      # is cut.
      def longest_s = @rules.budget_s || [@first_s, @announced_s].max

      def most = @queued.map(&:round).max.to_i

      # The rounds without which intervals would be lost.
      def fewest
        return most if @rules.rounds && @rules.budget_s.nil?

        [Budget::ROUNDS, @plan.rounds, most].min
      end

      def fitting_rounds
        loop do
          fitting = most.downto(fewest).find { |rounds| total_s(rounds) <= target_s }
          return fitting if fitting
          return fewest if total_s(fewest) <= limit_s

          dropped = next_out or return fewest
          @out << dropped
        end
      end

      # Of so many rounds, those that fit in the budget; a run that is resumed has at least one.
      def within_budget(rounds)
        least = @sunk_s.zero? ? @queued.map(&:round).min : begun
        rounds.downto(least + 1).find { |count| total_s(count) <= @rules.budget_s } || least
      end

      # The last round that was begun.
      def begun = @others.select(&:baseline).map(&:round).max || 0

      def total_s(rounds) = @sunk_s - spared_s + seconds(left(rounds))

      # Seconds spared in the current cohort.
      def spared_s
        @estimator.still_tried(@cold & @out).sum do |name|
          @estimator.own_s(name, :warm_up_s) + @estimator.rest_s(name)
        end
      end

      def seconds(cohorts) = cohorts.sum { |one| @estimator.cohort_s(one) }

      # The cohorts that are left, without those that have no candidate any more.
      def left(rounds)
        kept = @queued.select { |cohort| cohort.round <= rounds }.map { |one| one.without(@out) }
        alone? ? kept : kept.reject { |cohort| (cohort.variants - [cohort.baseline]).empty? }
      end

      # A run of the baseline alone has cohorts without candidates from the start.
      def alone? = (@plan.variants - [@study.baseline]).empty?

      # The name of the next variant to drop, of those still to be measured; nil if none may be
      # dropped. Costs within a factor of about two count as equal, since boots differ: then what
      # was written first matters more.
      def next_out
        return if @study.named && @rules.budget_s.nil?

        waiting = candidates
        return if waiting.size < 2 && !complete?

        out = Budget.first_out(waiting, chosen: !@study.named) do |variant|
          cost = @estimator.cohort_s(Plan::CohortSpec.new(variants: [variant.name]))
          Math.log2([cost, 0.1].max).round
        end
        out&.name
      end

      # Candidates still to be measured.
      def candidates
        names = @estimator.still_tried(@queued.flat_map(&:variants).uniq - @out - [@study.baseline])
        @study.variants.select { |variant| names.include?(variant.name) }
      end

      # Has any candidate had all its rounds?
      def complete?
        made = @others.select(&:baseline).flat_map(&:variants).tally.except(@study.baseline)
        @estimator.still_tried(made.keys).any? { |name| made[name] >= Budget::ROUNDS }
      end

      # all_s: of the fewest rounds with all variants.
      def change(rounds, whole_s, least_s, all_s)
        values = { announced_s: @announced_s, enough_s: whole_s.ceil,
                   **({ all_s: all_s.ceil, budget_s: @rules.budget_s } if @rules.budget_s).to_h }
        cut = @out.map { |name| { name:, code: "cut_variant", values: } }
        cut << cut_rounds(rounds, values) if rounds < most
        announced_s = least_s.ceil if least_s > kept_s
        return if cut.empty? && announced_s.nil?

        @announced_s = announced_s if announced_s
        @plan = cut_plan(rounds, cut) if cut.any?
        Change.new(plan: @plan, cut:, announced_s:)
      end

      # Replaces an earlier cut.
      def cut_rounds(rounds, values)
        planned = earlier.first&.fetch(:of) || @plan.rounds
        { rounds: planned - rounds, of: planned, code: "cut_rounds",
          values: { **values, rounds: planned } }
      end

      # What was cut of rounds.
      def earlier = @plan.dropped.select { |cut| cut.key?(:of) }

      def cut_plan(rounds, cut)
        cohorts = (@others + left(rounds)).sort_by(&:position)
        replaced = cut.last[:code] == "cut_rounds" ? earlier : []
        Plan.new(**@plan.each_pair.to_h, cohorts:, rounds: [rounds, begun].max,
                                         dropped: @plan.dropped - replaced + cut)
      end
    end
  end
end
