# frozen_string_literal: true

module Mohs
  module Tune
    # Reasons to doubt the rates of a tuning, each a Finding or nil. Pure.
    class Cautions
      # A longer budget than this is not advised: where the limit needs more, the rates are those
      # of the queue's model.
      LONGEST_S = 3600

      # A cure has to shorten searches by at least this.
      SHORTER = 0.7

      # race_cohorts, searches: cohorts of the race, and those that search; also planned ones.
      # budget: Tune::Budget.
      #: (Result, race_cohorts: Array[Store::Cohort], searches: Array[Store::Cohort], budget: Tune::Budget) -> void
      def initialize(tuning, race_cohorts:, searches:, budget:)
        @tuning = tuning
        @race_cohorts = race_cohorts
        @searches = searches
        @budget = budget
        @limit = tuning.limit
      end

      #: () -> Array[Analysis::Finding]
      def to_a
        [little_time, no_model, contradiction, few_boots, short_searches, slow_race, open_rates,
         preloading, present_pool].compact
      end

      # Known while the race goes on: there is no time to search all settings for as long as the
      # limit needs. With time for fewer than FEW (`searchable`), the rates will be those of the
      # queue's model.
      #: () -> Analysis::Finding?
      def little_time
        needed_s = @tuning.schedule.likely_needed_s
        return if @tuning.race_ended || needed_s.nil?

        searchable = @budget.searchable(needed_s:, servers:)
        return if time_for_all?(searchable)

        rates = @tuning.schedule.likely_rates
        finding("tune_little_time", settings: most_settings, limit: @limit.to_s, searchable:,
                                    boots: searchable < Result::FEW ? Result::ROUNDS : Result::BOOTS,
                                    needed_s:, cure: cure(needed_s, rates),
                                    **(searchable < Result::FEW ? unmodelled.to_h : {}),
                                    **budgets(needed_s, least: searchable < Result::FEW))
      end

      # No search can be counted on, and the model of a queue says nothing about this limit, so
      # settings are compared by what they serve with all threads busy.
      #: () -> Analysis::Finding?
      def no_model
        why = unmodelled if @searches.empty? && @tuning.without_searches?
        finding("tune_no_model", limit: @limit.to_s, **why) if why
      end

      # A search that was long enough does not agree with the queue's model, so that no rate is
      # taken from that.
      #: () -> Analysis::Finding?
      def contradiction
        names = @tuning.contradicted
        return if names.empty?

        found = @tuning.model.checks(names.first).first
        modelled = @tuning.model.rate(names.first)
        finding("tune_model_contradicted", name: names.first, **found.slice(:rate_per_s),
                                           low: modelled.low, high: modelled.high)
      end

      # The settings were searched on too few boots to compare them.
      #: () -> Analysis::Finding?
      def few_boots
        return if @searches.empty? || @searches.size >= Result::ROUNDS || @tuning.modelled?

        budget_s = enough_s(most_settings, needed_s || SearchTime::LEAST_S)
        finding("tune_few_boots", boots: @searches.size, needed: Result::BOOTS,
                                  budget_s: believable(budget_s))
      end

      # The searches were too short for such a limit at such rates: they find rates that are too
      # high, on every boot.
      #: () -> Analysis::Finding?
      def short_searches
        return if @tuning.modelled?

        short = found.select { |one| SearchTime.short?(one.found) }
        needed_s = needed_s(short) or return
        rates = short.map { |one| one.found[:capacity_per_s] }
        finding("tune_short_searches", searched_s: @searches.first.spec.own[:search_s], needed_s:,
                                       names: names(short), cure: cure(needed_s, rates),
                                       settings: most_settings, **budgets(needed_s))
      end

      # Settings that serve more within the limit than they did without one, with all threads
      # busy, although their searches were long enough: the machine was slower during the race.
      #: () -> Analysis::Finding?
      def slow_race
        faster = @tuning.settings.select do |one|
          one.rate && one.busy && !one.short && @tuning.shapes.all_busy?(one.name) && faster?(one)
        end
        finding("tune_slow_race", names: faster.map(&:name)) if faster.any?
      end

      # Settings whose rates are bounds: they may serve more than the recommended one.
      #: () -> Analysis::Finding?
      def open_rates
        names = @tuning.recommendation.may_serve_more
        finding("tune_open_rates", names:, best: @tuning.recommended.name) if names.any?
      end

      # The present setting loads the application before it forks and others don't, or the other
      # way round, so they differ in more than processes and threads.
      #: () -> Analysis::Finding?
      def preloading
        known = (@race_cohorts + @searches).flat_map(&:trials).select(&:measured?)
                                    .to_h { |one| [one.variant, one.attested[:preload]] }.compact
        present = known[@tuning.present]
        others = known.reject { |_, preloaded| preloaded == present }.keys
        return if present.nil? || others.empty?

        finding("tune_preload_differs", present: @tuning.present, preloaded: present,
                                        names: others.sort, all: others.size == known.size - 1)
      end

      # The present setting has fewer connections to the database than threads: what others gain
      # over it may be due to that.
      #: () -> Analysis::Finding?
      def present_pool
        present = @tuning.present
        pool, threads = @tuning.shapes.pool_of(present)
        finding("tune_present_pool", present:, pool:, threads:) if pool && pool < threads
      end

      private

      def finding(code, **values) = Analysis::Finding.new(code:, severity: :warn, values:)

      # Why the model can't be relied on: the longest service time that is known, to which the
      # limit is too near, nil if none is known; nil if it can.
      def unmodelled
        return if @tuning.model.reliable?

        longest_s = @tuning.model.longest_s
        { longest_ms: longest_s && (1000 * longest_s), times: ModelledRates::LONG }
      end

      # Trials whose search was finished.
      def found = @searches.flat_map(&:trials).select { |one| one.measured? && one.found }

      # The settings of these trials; nil if they are all that were searched.
      def names(trials)
        short, all = [trials, found].map { |some| some.map(&:variant).uniq.sort }
        short unless short == all
      end

      # What the searches of these trials would have needed; nil if nobody knows.
      def needed_s(trials = found) = SearchTime.needed_by_s(trials.map(&:found))

      # How many settings are searched if there is time for it.
      def most_settings = Result.most_searched(@tuning.race.names.size)

      # Servers of a race up to its first look if so many go on after its first round.
      def servers(going_on = most_settings)
        first = @race_cohorts.select { |one| one.round == 1 }.sum { |one| one.spec.variants.size }
        first + ((Result::LOOK - 1) * [first, going_on].min)
      end

      # In a budget that is enough for FEW only as many go on as would be searched with more time;
      # in one for more settings all may.
      def enough_s(settings, search_s)
        going_on = settings > Result::FEW ? @tuning.race.names.size : most_settings
        @budget.enough_s(settings, search_s:, servers: servers(going_on))
      end

      # The budget in which all settings can be searched so long, `budget_s`, and `least_s`, that
      # for FEW; nil if this one is enough for that, or if it is enough for all, or if it is not
      # to be told, or if that is too long to be advised. Where a rate is wanted, two would not be
      # enough.
      def budgets(search_s, least: true)
        least_s, budget_s = [Result::FEW, most_settings].map { |settings| enough_s(settings, search_s) }
        told = least && !@tuning.rules.wanted_per_s &&
               (@budget.total_s...budget_s).cover?(least_s)
        { least_s: (believable(least_s) if told), budget_s: believable(budget_s) }
      end

      def believable(time_s) = (time_s if time_s <= LONGEST_S)

      # searchable: how many there is time for once the race could drop one. Later, fewer may be
      # left.
      def time_for_all?(searchable)
        searchable >= most_settings ||
          (@tuning.race.rounds >= Result::LOOK && @tuning.schedule.all_searchable?)
      end

      # The change of the limit for which much shorter searches would do: to a p90 instead of a
      # "rare" figure, or to a "tighter" limit of the same; nil if neither would.
      def cure(needed_s, rates)
        changed = { "tighter" => Load::Limit.new(**@limit.to_h, ns: @limit.ns / 2) }
        p90 = Load::Limit.new(**@limit.to_h, figure: "p90")
        changed["rare"] = p90 if @limit.share.to_f > p90.share
        times = changed.transform_values { |limit| SearchTime.needed_s(limit, rates) }
        cure, best_s = times.min_by(&:last)
        cure if best_s < SHORTER * needed_s
      end

      # A rate of few rounds has no interval: then by the margin.
      def faster?(setting)
        busy = setting.busy.high || (setting.busy.value * Stats::Margin.ratios(@tuning.rules.margin).last)
        (setting.rate.low || setting.rate.value) > busy
      end
    end
  end
end
