# frozen_string_literal: true

module Mohs
  module Analysis
    class Tuning
      # Reasons to doubt the rates of a tuning, each a Finding or nil. Pure.
      class Cautions
        # searches: the cohorts that search, planned ones included. budget: Tuning::Budget.
        #: (Tuning, searches: Array[Store::Cohort], budget: Tuning::Budget) -> void
        def initialize(tuning, searches:, budget:)
          @tuning = tuning
          @searches = searches
          @budget = budget
          @limit = Load::Limit.parse(tuning.rules.limit)
        end

        #: () -> Array[Analysis::Finding]
        def to_a = [little_time, few_boots, short_searches, slow_race].compact

        # Known while the race goes on: the searches will be too short for the limit, or on too few
        # boots.
        #: () -> Analysis::Finding?
        def little_time
          fastest = @tuning.settings.filter_map { |one| one.busy&.value }.max
          return if @tuning.race_ended || fastest.nil?

          needed_s = RateSearch.needed_s(limit: @limit, rate_per_s: fastest) / Rate::SHORT
          needed_s = [needed_s, LEAST_SEARCH_S].max
          settings = [FINALISTS + 1, @tuning.race.names.size].min
          search_s = @budget.search_after_race_s(settings, boots: ROUNDS)
          return if search_s >= needed_s

          finding("tune_little_time", search_s: (search_s if search_s >= LEAST_SEARCH_S), needed_s:,
                                      boots: ROUNDS, settings:, rate: fastest,
                                      limit: @limit.to_s, cure: cure(fastest),
                                      budget_s: enough_s(settings, needed_s, race_cut: true))
        end

        # The settings were searched on too few boots to compare them.
        #: () -> Analysis::Finding?
        def few_boots
          return if @searches.empty? || @searches.size >= ROUNDS

          finding("tune_few_boots", boots: @searches.size, needed: ROUNDS,
                                    budget_s: enough_s(settings, [searched_s, *needed_s].max))
        end

        # The searches were too short for such a limit at such rates: they find rates that are too
        # high, on every boot.
        #: () -> Analysis::Finding?
        def short_searches
          return unless needed_s

          finding("tune_short_searches", searched_s:, needed_s:,
                                         cure: cure(short.map { |one| one[:capacity_per_s] }.max),
                                         budget_s: enough_s(settings, needed_s))
        end

        # Settings that serve more within the limit than they did without one, with all threads
        # busy, although their searches were long enough: the machine was slower during the race.
        #: () -> Analysis::Finding?
        def slow_race
          faster = @tuning.settings.select do |one|
            one.rate && one.busy && !one.short && faster?(one)
          end
          finding("tune_slow_race", names: faster.map(&:name)) if faster.any?
        end

        private

        def finding(code, **values) = Finding.new(code:, severity: :warn, values:)

        def found
          @found ||= @searches.flat_map(&:trials).select(&:measured?).filter_map(&:found)
        end

        def settings = @searches.flat_map { |cohort| cohort.spec.variants }.uniq.size

        def searched_s = @searches.first.spec.search_s

        def short = found.select { |one| Tuning.short?(one) }

        # What the searches that were too short would have needed; nil if none was.
        def needed_s = short.map { |one| one[:needed_s] / Rate::SHORT }.max

        # A limit for which shorter searches would do: of a figure that is less "rare", or a
        # "tighter" one; nil if the figure is no rarer than a p90.
        def cure(rate_per_s)
          return "tighter" unless RateSearch.rare?(limit: @limit, rate_per_s:)

          "rare" if @limit.share.to_f > Load::Limit::FIGURES["p90"]
        end

        def enough_s(settings, search_s, race_cut: @tuning.race_ended == :budget)
          boots = [@searches.size, ROUNDS].max
          @budget.needed_s(settings, boots:, search_s:, race_cut:)
        end

        # A rate of few rounds has no interval: then by the margin.
        def faster?(setting)
          busy = setting.busy.high || (setting.busy.value * (1 + @tuning.rules.margin))
          (setting.rate.low || setting.rate.value) > busy
        end
      end
    end
  end
end
