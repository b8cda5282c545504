# frozen_string_literal: true

module Mohs
  module Tune
    # What a tuning has found at any time, computed purely from the stored run. First the settings
    # race by their closed-loop rates with all of their threads busy (Stats::Race): a setting that
    # serves few requests there can't serve more within a limit than it does without one. Then the
    # highest rate at which the limit holds is searched for the settings that are left and for the
    # present one, on several boots of each.
    class Result < Analysis::Result
      # A setting: its variant's `name`. `state` is "searched", "modelled" (its rate is from the
      # queue's model: ModelledRates), "raced" (it was left when the race ended, but there was no
      # time for its search), "dropped" (Stats::Race::Drop), "cut" (there was no time to race it
      # further), "too_large" (it needs more memory than allowed, so it was raced no further),
      # "refused" or "failed" (see `reason`), or "waiting". `rate` is a Stats::Interval of the
      # highest rate within the limit, over boots; 0 where the limit held at no rate tried; a bound
      # has no high end. `share` is what of the latter rate it is by the queue's model
      # (UsableShare), nil if it was found by searches. `busy` is the interval of its rate with all
      # threads busy, over rounds. `searched`: on how many boots a search had a rate, a bound
      # included; `lowest`: the lowest low end of the intervals that the searches have by
      # themselves. `at_least`: in some boot the limit held at every rate tried, or the server
      # served more than its search might try; `short`: a search was too short for the limit, so the
      # rate is too high. `figure_ms` is the limited figure at the highest rate at which the limit
      # held; `memory` is in bytes; `beyond` is { share:, collapses: }, the share of its rate that
      # it still serves beyond that; `boots` the number measured. `reason` is also given for a
      # searched setting that needs more memory than allowed.
      Setting = Struct.new(:name, :state, :mark, :rate, :busy, :searched, :lowest, :at_least,
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

      # States of settings that are out of the race.
      FAILED, CUT, TOO_LARGE = %w[failed cut too_large].freeze

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

      # A setting whose number of threads or processes is the next to that of the recommended one.
      # `ratio` is its rate over that of the recommended one, a Stats::Interval; `by` says of which
      # rates: the highest ones ("limit"; 0 where the limit held at none) or those of the race, with
      # all threads busy ("race").
      Step = Struct.new(:name, :by, :ratio, keyword_init: true) { include Value }

      # While the first round of the race is not over: `leader`, the fastest of the settings that
      # opened it; `gain`, the ratio of its rate to that of the present one, a Stats::Interval (nil
      # if it is the present one, or that was not measured); `follow`, how many settings follow.
      Opening = Struct.new(:leader, :gain, :follow, keyword_init: true) { include Value }

      attr_reader :rules, :present

      # run: as returned by Store#result.
      #: (Store::Run) -> void
      def initialize(run)
        super
        @rules = run.study.rules
        @present = run.study.baseline
        planned = run.cohorts.select { |cohort| cohort.spec.baseline }
        @searches, @heats = planned.partition { |cohort| cohort.spec.search_s }
        @heat_rates = RaceRounds.new(@heats)
        @searched = HighestRates.new(@searches, present:)
        @memory_limit = MemoryLimit.new(@rules)
      end

      # Settings have different numbers of connections.
      #: () -> bool
      def curves? = false

      # The race so far.
      #: () -> Stats::Race
      def race = @race ||= raced

      #: () -> Tune::Result::Opening?
      def opening
        rounds = @heat_rates.begun
        return if race_ended || race.rounds.positive? || rounds.all?(&:empty?)

        leader = rounds.flat_map(&:keys).uniq.max_by do |name|
          positive(rounds.filter_map { |rates| rates[name] }).value
        end
        gain = ratio(rounds, present, leader) unless leader == present
        Opening.new(leader:, gain:, follow: (racing - tried).size)
      end

      # How many of so many settings are searched if there is time for it: the best, and the present
      # one.
      #: (Integer) -> Integer
      def self.most_searched(settings) = [FINALISTS + 1, settings].min

      # Why the race ended (Schedule#race_ended); nil while it goes on.
      #: () -> Symbol?
      def race_ended = schedule.race_ended

      # What the tuning does next.
      #: () -> Tune::Schedule
      def schedule
        @schedule ||= Schedule.new(self, heats: @heats, searches: @searches, rates: @heat_rates,
                                         choice:, budget:)
      end

      # Were the responses of all servers so far refused, and do all settings differ in processes
      # and threads alone? Then the others would be refused, too.
      #: () -> bool
      def hopeless?
        settings = @run.study.variants.reject(&:refusal)
        states = @run.cohorts.flat_map(&:trials).reject(&:lost?).map(&:state).uniq
        states == %w[refused] && settings.all? { |one| alike?(one, settings.first) }
      end

      # Requests that a setting works on at a time; without limit for fibers.
      #: (String) -> Numeric
      def slots(name)
        processes, threads = shape(name)
        (processes || 1) * (threads || Float::INFINITY)
      end

      # The settings, the best first: those searched by their rates, then the others as they raced.
      #: () -> Array[Tune::Result::Setting]
      def settings
        @settings ||= @run.study.variants.map { |variant| setting(variant) }
                          .sort_by.with_index { |one, place| [*rank(one), place] }
      end

      # The ends that its rate with all threads busy has on its boots
      # (RaceRounds#ends_on_boots_per_s) while the rounds are too few for an interval; nil with more
      # rounds, or with none.
      #: (Tune::Result::Setting) -> [Float, Float]?
      def busy_on_boots_per_s(setting)
        busy = setting.busy
        @heat_rates.ends_on_boots_per_s(setting.name, busy.value) if busy && busy.low.nil?
      end

      # Its rate with all threads busy so far; nil if it has none.
      #: (String) -> Float?
      def busy_per_s(name)
        known = busy_rates.filter_map { |one| one[name] }
        positive(known).value if known.any?
      end

      # What is known of the settings before their searches, the fastest first: their names and
      # their memory.
      #: () -> Array[Tune::Result::Setting]
      def before_searches
        names = @run.study.variants.map(&:name)
        names.sort_by.with_index { |name, place| [-busy_per_s(name).to_f, place] }.map do |name|
          Setting.new(name:, memory: estimate(trials(name, @heats), &:memory_bytes))
        end
      end

      # Is the run over?
      #: () -> bool
      def finished? = @run.finished?

      # The present setting.
      #: () -> Tune::Result::Setting?
      def present_setting = settings.find { |one| one.name == present }

      # The limit of response times.
      #: () -> Load::Limit
      def limit = @limit ||= Load::Limit.parse(rules.limit)

      # Names of the settings worth choosing from, by rate and memory (Frontier).
      #: () -> Array[String]
      def frontier
        points = fitting.map do |one|
          Frontier::Point.new(name: one.name, rate_per_s: one.rate.value,
                              memory_bytes: one.memory&.value)
        end
        Frontier.new(points).front.map(&:name)
      end

      # The setting to use. Of those that need no more memory than allowed: the one with the highest
      # rate, or a cheaper one that is about as fast (Choice). Where a rate is wanted: the cheapest
      # that surely serves it, else the cheapest that seems to, else the one with the highest rate.
      # nil if the limit held for none.
      #: () -> Tune::Result::Setting?
      def recommended = choice.call(fitting)

      # Names of the others that may serve more than the recommended setting: those whose rate is a
      # bound. None where that setting is enough for the wanted rate.
      #: () -> Array[String]
      def may_serve_more
        pick = recommended
        pick.nil? || enough?(pick) ? [] : bounded - [pick.name]
      end

      # Does the setting surely serve the wanted rate? nil if that is unknown, or no rate is wanted.
      #: (Tune::Result::Setting) -> bool?
      def enough?(setting) = choice.enough?(setting)

      # Is it unknown whether the setting serves the wanted rate, although each of its searches
      # found that it does? They were too few or too short, or differ too much.
      #: (Tune::Result::Setting) -> bool
      def seems_enough?(setting) = choice.seems_enough?(setting)

      # Does its memory fit (MemoryLimit)?
      #: (Tune::Result::Setting) -> bool
      def fits?(setting) = @memory_limit.fits?(setting.memory)

      # The setting with the highest rate, if that is not the recommended one; nil also where a rate
      # is wanted. `ratio` is its rate over that of the recommended one; `reason` says why that one
      # is preferred: "memory" (it needs clearly less), "present" (it needs no change) or "threads"
      # (it has fewer).
      #: () -> { name: String, ratio: Stats::Interval, reason: String }?
      def faster
        pick = recommended
        return if pick.nil? || rules.wanted_per_s

        first = fitting.first
        return if first == pick

        { name: first.name, ratio: highest.ratio(pick.name, first.name),
          reason: preferred_for(pick, first) }
      end

      # The ratio of the recommended setting's rate to the present one's; a lower bound if the
      # former's rate is one (Setting#at_least), and so is its low end. nil if they are the same
      # setting, or if either rate is unknown.
      #: () -> Stats::Interval?
      def gain = over_present.interval

      # A further tuning that would show such a gain, if this one is undecided: nil, too, if that
      # would take too long, or if a rate is wanted.
      #: () -> Tune::Further?
      def further
        return if modelled? || gain&.low.nil? || gain.excludes?(1)
        return if rules.wanted_per_s || spares_memory?

        name = recommended.name
        found = [name, present].flat_map { |one| highest.found(one) }
        effect = highest.gain(recommended, alpha: ALPHA).effect
        Further.of(name, effect, margin: rules.margin, budget:,
                                 search_s: SearchTime.needed_by_s(found) || SearchTime::LEAST_S)
      end

      # [boots on which all settings were searched so far, boots planned] until the searches are
      # over; then nil. An answer that counts before the planned end would be one of several tries.
      #: () -> [Integer, Integer]?
      def boots_so_far = highest.boots_so_far

      # Should the present setting stay although another is recommended, as long as the gain may be
      # chance, or there may be none, as the present rate is a bound? Not if it can't be used, or if
      # the recommended one needs clearly less memory. Where a rate is wanted, or searches are not
      # over, that is not the question.
      #: () -> bool
      def keep_present?
        return false if rules.wanted_per_s || boots_so_far || present_is_best? == false
        return false unless gain || may_serve_more.include?(present)

        fits?(present_setting) && !smaller_than_present?
      end

      # Does the recommended setting need clearly less memory than the present one, and serve about
      # as many requests at least?
      #: () -> bool
      def spares_memory? = smaller_than_present? && !gain&.low.nil? && gain.low >= 1 - rules.margin

      # The boots on which the recommended or the present setting was searched, whichever are fewer,
      # if these are too few to compare them; else nil.
      #: () -> Integer?
      def few_boots
        counts = [recommended, present_setting].filter_map { |one| one&.rate&.count }
        counts.min if counts.any? && counts.min < ROUNDS
      end

      # Is the present setting the recommended one, or not shown to be worse by more than the
      # margin? Where a rate is wanted: does it surely serve that rate, and need no more memory? nil
      # if that is unknown. False if it does not fit into the memory, or if the limit held at no
      # rate, or if its server ended, or stopped responding, where that of another setting did not.
      #: () -> bool?
      def present_is_best?
        pick = recommended or return
        return false if failed?(present)

        now = present_setting
        return (as_cheap?(now, pick) unless boots_so_far) if rules.wanted_per_s
        return false unless fits?(now)
        return if few_boots || boots_so_far
        return false if now.rate&.value&.zero?

        not_worse?(pick)
      end

      # Why it is not known whether the present setting is the best; nil if it is known.
      #: () -> Reason?
      def present_unknown
        return unless present_is_best?.nil?
        return Reason.new(code: "tune_unknown_early") if boots_so_far
        return Reason.new(code: "tune_unknown_few", values: { boots: few_boots }) if few_boots

        return Reason.new(code: "tune_unknown_bounds", values: { names: open_bounds }) if
          open_bounds.any?
        return Reason.new(code: "tune_unknown_rate", values: { present: }) if rules.wanted_per_s

        Reason.new(code: recommended ? "tune_unknown_search" : "tune_unknown_best")
      end

      # Reasons to doubt the rates.
      #: () -> Array[Analysis::Finding]
      def cautions = Cautions.new(self, heats: @heats, searches: @searches, budget:).to_a

      # [processes, threads] as declared, else as the servers attested.
      #: (String) -> [Integer?, Integer?]
      def shape(name)
        variant = @run.study.variant(name)
        return [variant.processes, variant.threads] if variant.processes

        trials(name, @heats + @searches).last&.attested.to_h.values_at(:workers, :threads)
      end

      # Does the setting declare its number of threads, and are all of them busy in the race?
      #: (String) -> bool
      def all_busy?(name) = busy?(@run.study.variant(name))

      # What limits the rate instead of threads.
      #: () -> Array[Analysis::Finding]
      def bounds = [pool].compact

      # What a request waits under the Ruby of the recommended setting, else of the leader's; nil if
      # its setting of one process and one thread was not measured.
      #: () -> Tune::Waiting?
      def waiting
        trials = alone(kin)
        Waiting.of(trials, cores: computing_cores(trials))
      end

      # How the rate grows with the threads of a process, at the number of processes of the
      # recommended setting, else of the leader of the race, else of any setting for which enough
      # numbers of threads raced. nil if there is none, and until the race is over.
      #: () -> Tune::Scaling?
      def scaling
        return unless race_ended

        @scaling ||= [recommended&.name, race.leader, *@run.study.variants.map(&:name)]
                     .compact.uniq.lazy.filter_map { |name| scaling_of(name) }.find(&:enough?)
      end

      # What it costs to be one step away from the recommended setting: fewer or more threads at the
      # same number of processes, or fewer or more processes with the same number of threads. Only
      # of settings that both have enough boots for an interval.
      #: () -> Array[Tune::Result::Step]
      def steps
        pick = recommended or return []
        neighbours(pick.name).filter_map { |name| limit_step(pick, name) || race_step(pick, name) }
      end

      # Are the rates those of the queue's model (ModelledRates)? So where the race is over and no
      # search, or none on enough boots, was long enough to count what the limit needs, unless one
      # that was contradicts the model, or it says nothing about this limit.
      #: () -> bool
      def modelled? = without_searches? && model.reliable? && contradicted.empty?

      # Names of the settings of which a search contradicts the model, where it would be used.
      #: () -> Array[String]
      def contradicted
        @contradicted ||= without_searches? && model.reliable? ? model.contradicted : []
      end

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
        @model ||= ModelledRates.new(@heat_rates.rates, names: modellable, shapes:, limit:,
                                                        present:, searched: @searched, services:)
      end

      # [connections to the database, threads] of each process of a setting; nil if unknown.
      #: (String) -> [Integer, Integer]?
      def pool_of(name)
        threads = shape(name).last
        sizes = trials(name, @heats + @searches).filter_map { |one| one.attested[:pool] }
        [sizes.max, threads] if threads && sizes.any?
      end

      # Seconds that its cohorts took.
      #: () -> Float
      def spent_s = budget.spent_s

      private

      def highest = @highest ||= modelled? ? model : @searched

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
        names = rules.wanted_per_s ? race.names : race.alive | [present]
        names - race.out.select { |_, why| [FAILED, TOO_LARGE].include?(why) }.keys
      end

      def shapes = @run.study.variants.to_h { |variant| [variant.name, shape(variant.name)] }

      def services
        lambda do |name|
          own = @run.study.variant(name)
          ServiceTimes.of(alone(@run.study.variants.select { |one| alike?(one, own) }))
        end
      end

      # The budget as it was announced.
      def budget
        @budget ||= Budget.new(@run.plan.estimate_s, heats: @heats, searches: @searches)
      end

      def choice
        @choice ||= Choice.new(margin: rules.margin, wanted_per_s: rules.wanted_per_s, present:,
                               slots: ->(name) { slots(name) },
                               lead: ->(one, other) { highest.lead(one, other) })
      end

      # Is the present setting not shown to be worse than the recommended one by more than the
      # margin? nil if that is unknown: a rate may be far above its bound.
      def not_worse?(pick)
        return false if gain&.low && gain.low > 1 + rules.margin

        true if (gain&.low || pick.name == present) && open_bounds.empty?
      end

      def over_present = highest.gain(recommended)

      # Names of the settings whose rates, as bounds, leave open whether the present one is the
      # best: all but its own, if it is recommended; where a rate is wanted, its own alone.
      def open_bounds
        return bounded & [present] if rules.wanted_per_s

        recommended&.name == present ? bounded - [present] : bounded
      end

      # Names of the settings that may be recommended and whose rate is a bound.
      def bounded = fitting.select(&:at_least).map(&:name)

      def smaller_than_present? = choice.smaller?(recommended, present_setting) == true

      def preferred_for(pick, faster)
        return "memory" if choice.smaller?(pick, faster)
        return "present" if pick.name == present

        slots(pick.name) < slots(faster.name) ? "threads" : "memory"
      end

      def as_cheap?(now, pick)
        return false unless fits?(now)

        enough = enough?(now)
        return enough if !enough || now.name == pick.name

        dearer = choice.smaller?(pick, now)
        dearer.nil? ? nil : !dearer
      end

      def racing = @run.study.variants.reject(&:refusal).map(&:name)

      # Settings whose servers ran in the race.
      def tried = @heats.select(&:done?).flat_map { |cohort| cohort.spec.variants }

      def busy_rates = @heat_rates.rates + @heat_rates.begun

      # The ratio of a setting's rate to that of `base`, over the rounds that have both; nil if none
      # has.
      def ratio(rounds, base, name)
        both = rounds.select { |rates| rates.key?(name) && rates.key?(base) }
        return if both.empty?

        Stats::Effect.of(both.map { |rates| Math.log(rates[name] / rates[base]) }).interval
      end

      def raced
        race = Stats::Race.new(racing, better: :more, margin: rules.margin)
        @heat_rates.rounds.zip(@heats.map(&:round).uniq.sort) do |(values, planned), round|
          break unless race.state == :continue

          add(race, values, planned, larger(values.keys & race.alive, round))
        end
        race
      end

      # Settings that there was no time for are out, as are those that could not be measured, or
      # that need too much memory.
      def add(race, values, planned, larger)
        values = values.slice(*race.alive)
        missing = race.alive - values.keys
        out = missing.to_h { |name| [name, planned.include?(name) ? FAILED : CUT] }
        race.add(values.except(*larger), out: { **out, **larger.to_h { [_1, TOO_LARGE] } })
      end

      # Settings that need more memory than allowed, by the rounds so far: they can't be
      # recommended, so nothing is dropped for being slower than one of them.
      def larger(names, round)
        heats = @heats.select { |cohort| cohort.round <= round }
        names.reject do |name|
          @memory_limit.fits?(estimate(trials(name, heats), &:memory_bytes))
        end
      end

      # The scaling of the settings that differ from this one in processes and threads alone and
      # have the same number of processes, by their threads.
      def scaling_of(name)
        variant = @run.study.variant(name)
        processes = shape(name).first or return
        same = @run.study.variants.select { |one| busy?(one) && alike?(one, variant) }
        threads = same.select { |one| one.processes == processes }
                      .to_h { |one| [one.name, one.threads] }
        rounds = @heat_rates.rates.map { |one| one.slice(*threads.keys).transform_keys(threads) }
        Scaling.new(rounds.reject(&:empty?), processes:,
                                             demand: Demand.of(alone(same), quota_cores:))
      end

      def quota_cores = rules.cgroup.to_h[:cores]

      # Cores that a server of these trials may use; nil if unknown.
      def computing_cores(trials) = [trials.filter_map(&:cores).max, quota_cores].compact.min

      def busy?(variant)
        given = @run.study.connections
        !variant.threads.nil? && (given.nil? || variant.slots <= given)
      end

      SHAPE = %w[processes threads config].freeze
      FORKING = %w[preload refork].freeze
      private_constant :SHAPE, :FORKING

      # Do the two differ in processes and threads alone? A single process forks none.
      def alike?(one, other)
        forked = [one, other].all? { |variant| variant.processes.to_i > 1 }
        (one.difference(other) - SHAPE - (forked ? [] : FORKING)).empty?
      end

      # Settings that differ from the recommended one, else the leader, in processes and threads
      # alone.
      def kin
        name = recommended&.name || race.leader or return []
        own = @run.study.variant(name)
        @run.study.variants.select { |one| alike?(one, own) }
      end

      # The trials of settings with one process of one thread, in the race.
      def alone(variants)
        variants.select { |one| one.processes == 1 && one.threads == 1 }
                .flat_map { |one| trials(one.name, @heats) }
      end

      # Names of the neighbours that differ in nothing else and have no file of their own.
      def neighbours(name)
        own = @run.study.variant(name)
        shapes = @run.study.variants.reject(&:config).select { |one| alike?(one, own) }
                     .to_h { |one| [[one.processes, one.threads], one.name] }
        shapes.values_at(*Neighbours.of(shape(name), shapes.keys))
      end

      def limit_step(pick, name)
        return Step.new(name:, by: "limit", ratio: over_present.reverse) if
          name == present && gain&.low && !pick.at_least

        rate = settings.find { |one| one.name == name }.rate or return
        return Step.new(name:, by: "limit", ratio: rate) if rate.value.zero?
        return unless highest.comparable?(pick.name, name)

        ratio = highest.ratio(pick.name, name)
        Step.new(name:, by: "limit", ratio:) if ratio&.low
      end

      # A setting that returned to the race may lack a common look.
      def race_step(pick, name)
        return if failed?(name)

        ratio = race.lead(pick.name, name)&.exp || ratio(@heat_rates.rates, pick.name, name)
        Step.new(name:, by: "race", ratio:) if ratio&.low
      end

      def measured(cohort) = cohort.trials.select(&:measured?)

      def trials(name, cohorts)
        cohorts.flat_map { |cohort| measured(cohort) }.select { |one| one.variant == name }
      end

      def setting(variant)
        name = variant.name
        all, searched = [@heats + @searches, @searches].map { |cohorts| trials(name, cohorts) }
        found, rate = highest.found(name), highest.rate(name)
        memory = estimate(searched.empty? ? all : searched, &:memory_bytes)
        Setting.new(name:, state: state(variant, rate), mark: highest.marks[name], rate:,
                    busy: positive(busy_rates.filter_map { |one| one[name] }),
                    searched: found.count { |one| one[:rate_per_s] },
                    lowest: found.filter_map { |one| one[:low] }.min,
                    at_least: highest.at_least?(name),
                    short: found.any? { |one| SearchTime.short?(one) },
                    figure_ms: positive(found.filter_map { |one| one[:figure_ms] }), memory:,
                    share: (model.share(name) if rate && modelled?),
                    boot_ms: estimate(all, &:boot_ms), beyond: beyond(found),
                    cost_per_million: cost(rate, memory, all),
                    drop: race.dropped[name], boots: all.size,
                    reason: reason(variant) || (fruitless(found) unless rate) ||
                            (@memory_limit.reason(memory) if rate || race.out[name] == TOO_LARGE))
      end

      # Why the searches gave no rate; nil if there was no search.
      def fruitless(found)
        outcome = found.last&.fetch(:outcome)
        Reason.new(code: outcome == "spoiled" ? "search_spoiled" : "search_undecided") if outcome
      end

      # A finding about settings that have fewer connections to the database than threads.
      def pool
        short = @run.study.variants.filter_map do |variant|
          size, threads = pool_of(variant.name)
          [variant.name, threads, size] if size && size < threads
        end
        return if short.empty?

        Analysis::Finding.note("pool_below_threads", names: short.map(&:first).join(", "),
                                                     threads: short.map { |one| one[1] }.minmax,
                                                     pool: short.map(&:last).min)
      end

      # Over boots; nil if no boot has it.
      def estimate(trials) = positive(trials.filter_map { |one| yield Analysis::Figures.new(one) })

      def positive(values) = values.empty? ? nil : Stats::Interval.of_positive(values)

      def state(variant, rate)
        name = variant.name
        return "refused" if variant.refusal
        return modelled? ? "modelled" : "searched" if rate
        return FAILED if failed?(name)
        return race.out.fetch(name) if race.out.key?(name)
        return "dropped" if race.dropped.key?(name)

        race_ended ? "raced" : "waiting"
      end

      def reason(variant)
        return variant.refusal if variant.refusal

        all = @run.cohorts.flat_map(&:trials).select { |one| one.variant == variant.name }
        why_not(all.reject(&:measured?).last) if failed?(variant.name)
      end

      # Its reason, or the check that spoiled it.
      def why_not(trial)
        return trial&.reason if trial.nil? || trial.reason

        spoiled = Analysis::Checks.spoiled(Analysis::Checks.of(trial)) or return
        Reason.new(code: spoiled.code, values: spoiled.values)
      end

      # In the race, in a search, or as one that opened a race in which nobody would be.
      def failed?(name)
        race.out[name] == FAILED || highest.broke?(name) ||
          (race.rounds.zero? && hopeless? && tried.include?(name))
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
        cores = computing_cores(trials)
        return unless rules.price && rate&.value&.positive? && memory && cores

        hour = (cores * rules.price[:core_hour]) + (memory.value / 1e9 * rules.price[:gb_hour])
        value, high, low = [rate.value, rate.low, rate.high].map do |per_s|
          per_s && (hour * MILLION_H / per_s)
        end
        Stats::Interval.new(value:, low:, high:, count: rate.count)
      end

      # Settings with a rate that may be recommended, the best first.
      def fitting = settings.select { |one| one.rate&.value.to_f.positive? && fits?(one) }

      def rank(setting)
        [setting.rate ? 0 : 1, -setting.rate&.value.to_f,
         race.alive.include?(setting.name) ? 0 : 1, -setting.busy&.value.to_f]
      end
    end
  end
end
