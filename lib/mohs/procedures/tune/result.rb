# frozen_string_literal: true

module Mohs
  module Tune
    # What a tuning has found at any time, computed purely from the stored run. First the settings
    # race (Race). Then the highest rate at which the limit holds is searched for the settings that
    # are left and for the present one, on several boots of each (HighestRates); where no search can
    # count enough, it follows from the race (ModelledRates). Schedule decides what comes next,
    # within the Budget. From the rates and the memory of all follows the Recommendation.
    class Result < Analysis::Result
      # A setting: its variant's `name`. `state` is "searched", "modelled" (its rate is from the
      # queue's model: ModelledRates), "raced" (it was left when the race ended, but there was no
      # time for its search), "dropped" (Stats::Race::Drop), "cut" (there was no time to race it
      # further), "too_large" (it needs more memory than allowed, so it was raced no further),
      # "same" (the present one's file sets it, so it was raced no further), "refused" or "failed"
      # (see `reason`), or "waiting". `rate` is a Stats::Interval of the highest rate within the
      # limit, over boots; 0 where the limit held at no rate tried; a bound has no high end. `share`
      # is what of the latter rate it is by the queue's model (UsableShare), nil if it was found by
      # searches. `busy` is the interval of its rate with all threads busy, over rounds. `searched`:
      # on how many boots a search had a rate, a bound included; `lowest`: the lowest low end of the
      # intervals that the searches have by themselves. `bound`: in some boot the limit held at
      # every rate tried, or the server served more than its search might try; `short`: a search was
      # too short for the limit, so the rate is too high. `figure_ms` is the limited figure at the
      # highest rate at which the limit held; `memory` is in bytes; `beyond` is { share:, collapses:
      # }, the share of its rate that it still serves beyond that; `boots` the number measured.
      # `reason` is also given for a searched setting that needs more memory than allowed.
      Setting = Struct.new(:name, :state, :mark, :rate, :busy, :searched, :lowest, :bound,
                           :short, :figure_ms, :memory, :boot_ms, :beyond, :cost_per_million,
                           :drop, :reason, :boots, :share, keyword_init: true) do
        include Value
      end

      # Number of settings whose rate is searched, besides the present one.
      FINALISTS = 4

      # Fewest settings that can be compared.
      FEW = 2

      # Fewest rounds of searches, each on a fresh boot of every setting: an interval needs three.
      ROUNDS = Stats::Interval::FEWEST

      # Boots on which a setting is searched if there is time for it. Few settings on many boots
      # show more than many on few: if the best serves 46 % more, and rates vary by 14 % from boot
      # to boot, ten searches of two settings show the gain in 84 of 100 simulated tunings, nine of
      # three settings in 28; fifteen of three settings in 79, of five in 51
      # (benchmark/tune/allocation.rb).
      BOOTS = 5

      # Rounds before the first decision.
      LOOK = Stats::Race::LOOKS.first

      # At BEYOND times its rate, for BEYOND_S seconds, a setting shows whether it degrades or
      # collapses: whether it serves less than HELD of that rate.
      BEYOND = 1.5
      BEYOND_S = 2
      HELD = 0.8

      # The chance that any two settings that do not differ are told apart; that the interval of any
      # rate misses; that the interval of the gain misses. The recommended setting was chosen by
      # these rates, so all settings searched share the second equally, and all gains over the
      # present setting the third (Bonferroni).
      ALPHA = 0.05

      # Hours that a million requests take at one a second.
      MILLION_H = 1e6 / 3600

      attr_reader :rules, :present

      # run: as returned by Store#result.
      #: (Store::Run) -> void
      def initialize(run)
        super
        @rules = run.study.rules
        @present = run.study.baseline
        planned = run.cohorts.select { |cohort| cohort.spec.baseline }
        @searches, @race_cohorts = planned.partition { |cohort| cohort.spec.own[:search_s] }
        @searched = HighestRates.new(@searches, present:)
        @memory_limit = MemoryLimit.new(@rules)
      end

      # How many of so many settings are searched if there is time for it: the best, and the present
      # one.
      #: (Integer) -> Integer
      def self.most_searched(settings) = [FINALISTS + 1, settings].min

      # Settings have different numbers of connections.
      #: () -> bool
      def curves? = false

      #: () -> bool
      def hopeless? = race.hopeless?

      # The race so far.
      #: () -> Tune::Race
      def race
        @race ||= Race.new(@run, cohorts: @race_cohorts, memory_limit: @memory_limit, shapes:)
      end

      #: () -> Tune::Race::Opening?
      def opening = (race.opening unless race_ended)

      # Why the race ended (Schedule#race_ended); nil while it goes on.
      #: () -> Symbol?
      def race_ended = schedule.race_ended

      # What the tuning does next.
      #: () -> Tune::Schedule
      def schedule
        @schedule ||= Schedule.new(self, race_cohorts: @race_cohorts, searches: @searches,
                                         choice:, budget:)
      end

      #: () -> Tune::Shapes
      def shapes = @shapes ||= Shapes.new(@run.study, trials(@race_cohorts + @searches))

      # The settings, the best first: those searched by their rates, then the others as they raced.
      #: () -> Array[Tune::Result::Setting]
      def settings
        @settings ||= @run.study.variants.map { |variant| build(variant) }
                          .sort_by.with_index { |one, place| [*rank(one), place] }
      end

      # The one with this name.
      #: (String) -> Tune::Result::Setting?
      def setting(name) = settings.find { |one| one.name == name }

      # Is the run over?
      #: () -> bool
      def finished? = @run.finished?

      # The limit of response times.
      #: () -> Load::Limit
      def limit = rules.limit

      # Does its memory fit (MemoryLimit)?
      #: (Tune::Result::Setting) -> bool
      def fits?(setting) = @memory_limit.fits?(setting.memory)

      # Was it out in the race, or did its server end in a search?
      #: (String) -> bool
      def failed?(name) = race.failed?(name) || rates.broke?(name)

      # What to use, and why.
      #: () -> Tune::Recommendation
      def recommendation = @recommendation ||= Recommendation.new(self, choice:, budget:)

      # The setting to use; nil if the limit held for none.
      #: () -> Tune::Result::Setting?
      def recommended = recommendation.setting

      # Reasons to doubt the rates.
      #: () -> Array[Analysis::Finding]
      def cautions
        Cautions.new(self, race_cohorts: @race_cohorts, searches: @searches, budget:).to_a
      end

      # What limits the rate instead of threads.
      #: () -> Array[Analysis::Finding]
      def bounds = [shapes.small_pools].compact

      # What a request waits under the Ruby of the recommended setting, else of the leader's; nil if
      # its setting of one process and one thread was not measured.
      #: () -> Tune::Waiting?
      def waiting
        name = recommended&.name || race.leader
        race.waiting(name) if name
      end

      # How the rate grows with the threads of a process, at the number of processes of the
      # recommended setting, else of the leader of the race, else of any setting for which enough
      # numbers of threads raced. nil if there is none, and until the race is over.
      #: () -> Tune::Scaling?
      def scaling
        return unless race_ended

        @scaling ||= [recommended&.name, race.leader, *@run.study.variants.map(&:name)]
                     .compact.uniq.lazy.filter_map { |name| race.scaling(name) }.find(&:enough?)
      end

      # The rates within the limit: those that searches found, or those of the queue's model.
      #: () -> (Tune::HighestRates | Tune::ModelledRates)
      def rates = @rates ||= modelled? ? model : @searched

      # Are the rates those of the queue's model (ModelledRates)? So where the race is over and no
      # search, or none on enough boots, was long enough to count what the limit needs, unless one
      # that was contradicts the model, or it says nothing about this limit.
      #: () -> bool
      def modelled? = usable_model? && contradicted.empty?

      # Names of the settings of which a search contradicts the model, where it would be used.
      #: () -> Array[String]
      def contradicted = @contradicted ||= usable_model? ? model.contradicted : []

      # Did the race end without searches that count? While there are none, that is known when the
      # run is over.
      #: () -> bool
      def without_searches?
        return @without_searches if defined?(@without_searches)

        @without_searches = race.rounds.positive? &&
                            (@searches.empty? ? schedule.over_without_searches? : !counted?)
      end

      # What a search needs for the limit, in seconds; nil if no rate is known.
      #: () -> Numeric?
      def needed_s = schedule.likely_needed_s

      # What the searches of a setting found that were long enough, where the rates are those of the
      # model.
      #: (String) -> Array[Hash[Symbol, untyped]]
      def checks(name) = modelled? ? model.checks(name) : []

      # The rates that follow from those of the race.
      #: () -> Tune::ModelledRates
      def model
        @model ||= ModelledRates.new(race.rates.rates, names: modellable, shapes: shapes.to_h,
                                                      limit:, present:, searched: @searched,
                                                      services: ->(name) { race.service(name) })
      end

      # Seconds that its cohorts took.
      #: () -> Float
      def spent_s = budget.spent_s

      private

      # Would the rates be those of the model, if no search contradicts it?
      def usable_model? = without_searches? && model.reliable?

      # Searches count if they are long enough, on so many boots that these have an interval; as
      # long as they may turn out to be, too.
      def counted?
        return false if @searches.size < ROUNDS

        found = @searches.flat_map(&:trials).filter_map(&:found)
        found.empty? || !found.all? { |one| SearchTime.short?(one) }
      end

      # Of settings that were left in the race, and of the present one; where a rate is wanted, also
      # of those that were dropped, which may be enough.
      def modellable
        known = rules.wanted_per_s ? race.names : race.alive | [present]
        known - race.unfit
      end

      # The budget as it was announced.
      def budget
        @budget ||= Budget.new(@run.plan.estimate_s, race_cohorts: @race_cohorts,
                                                     searches: @searches)
      end

      def choice
        @choice ||= Choice.new(margin: rules.margin, wanted_per_s: rules.wanted_per_s, present:,
                               slots: ->(name) { shapes.slots(name) },
                               fewer_threads: ->(*names) { shapes.fewer_threads?(*names) },
                               lead: ->(one, other) { rates.lead(one, other) })
      end

      def trials(cohorts, name = nil)
        cohorts.flat_map(&:trials)
               .select { |one| one.measured? && (name.nil? || one.variant == name) }
      end

      def build(variant)
        name = variant.name
        all, searched = [@race_cohorts + @searches, @searches].map do |cohorts|
          trials(cohorts, name)
        end
        found, rate = rates.found(name), rates.rate(name)
        memory = estimate(searched.empty? ? all : searched, &:memory_bytes)
        Setting.new(name:, state: state(variant, rate), mark: rates.marks[name], rate:,
                    busy: race.busy(name),
                    searched: found.count { |one| one[:rate_per_s] },
                    lowest: found.filter_map { |one| one[:low] }.min,
                    bound: rates.bound?(name),
                    short: found.any? { |one| SearchTime.short?(one) },
                    figure_ms: positive(found.filter_map { |one| one[:figure_ms] }), memory:,
                    share: (model.share(name) if rate && modelled?),
                    boot_ms: estimate(all, &:boot_ms), beyond: beyond(found),
                    cost_per_million: cost(rate, memory, all),
                    drop: race.dropped[name], boots: all.size,
                    reason: reason(variant) || (fruitless(found) unless rate) ||
                            (@memory_limit.reason(memory) if rate || race.out[name] == Race::TOO_LARGE))
      end

      # Why the searches gave no rate; nil if there was no search.
      def fruitless(found)
        outcome = found.last&.fetch(:outcome)
        Reason.new(code: outcome == "spoiled" ? "search_spoiled" : "search_undecided") if outcome
      end

      # Over boots; nil if no boot has it.
      def estimate(trials) = positive(trials.filter_map { |one| yield Analysis::Figures.new(one) })

      def positive(values) = values.empty? ? nil : Stats::Interval.of_positive(values)

      def state(variant, rate)
        name = variant.name
        return "refused" if variant.refusal
        return modelled? ? "modelled" : "searched" if rate
        return Race::FAILED if failed?(name)
        return race.out.fetch(name) if race.out.key?(name)
        return "dropped" if race.dropped.key?(name)

        race_ended ? "raced" : "waiting"
      end

      def reason(variant)
        return variant.refusal if variant.refusal

        all = @run.trials.select { |one| one.variant == variant.name }
        why_not(all.reject(&:measured?).last) if failed?(variant.name)
      end

      # Its reason, or the check that spoiled it.
      def why_not(trial)
        return trial&.reason if trial.nil? || trial.reason

        spoiled = Analysis::Checks.spoiled(Analysis::Checks.of(trial)) or return
        Reason.new(code: spoiled.code, values: spoiled.values)
      end

      # The share of its rate that a setting serves when offered BEYOND times that: the median over
      # boots.
      def beyond(found)
        shares = found.filter_map { |one| one[:beyond_share] }
        return if shares.empty?

        share = Stats::Center.median(shares)
        { share:, collapses: share < HELD }
      end

      # The more it serves, the less a request costs: the ends of the interval change places.
      def cost(rate, memory, trials)
        cores = race.cores(trials)
        return unless rules.price && rate&.value&.positive? && memory && cores

        hour = (cores * rules.price[:core_hour]) + (memory.value / 1e9 * rules.price[:gb_hour])
        value, high, low = [rate.value, rate.low, rate.high].map do |per_s|
          per_s && (hour * MILLION_H / per_s)
        end
        Stats::Interval.new(value:, low:, high:, count: rate.count)
      end

      def rank(setting)
        [setting.rate ? 0 : 1, -setting.rate&.value.to_f,
         race.alive.include?(setting.name) ? 0 : 1, -setting.busy&.value.to_f]
      end
    end
  end
end
