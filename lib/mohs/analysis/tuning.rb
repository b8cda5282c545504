# frozen_string_literal: true

module Mohs
  module Analysis
    # What a tuning has found, at any time: pure, from the stored run. First the settings race by
    # their closed-loop rates with all of their threads busy (Stats::Race): a setting that serves
    # fewer requests there can't serve more within a limit than it does without. Then the highest
    # rate at which the limit holds is searched for those that are left, and for the present
    # setting, on several boots of each.
    class Tuning
      # A setting: its variant's `name`; `state` "searched", "raced" (it was left when the race
      # ended, but there was no time for its search), "dropped" (Stats::Race::Drop), "cut" (there
      # was no time to race it further), "refused" or "failed" (`reason`), "waiting". `rate` a
      # Stats::Interval of the highest rate within the limit, over boots; 0 where the limit held at
      # no rate tried. `at_least`: it held at every one in some boot. `figure_ms` is what is limited,
      # at the nearest rate below; `memory` in bytes; `beyond` its rate { share:, collapses: } what it
      # serves of it; `boots` that were measured.
      Setting = Struct.new(:name, :state, :mark, :rate, :at_least, :figure_ms, :memory,
                           :boot_ms, :beyond, :cost_per_million, :drop, :reason, :boots,
                           keyword_init: true) do
        include Value
      end

      # Share of the budget that the race may take.
      RACE_SHARE = 0.5

      # Settings whose rate is searched, the present one besides.
      FINALISTS = 4

      # Rounds of searches: an interval needs three boots.
      ROUNDS = Stats::Interval::FEWEST

      # Of one that is out of the race: its state.
      FAILED, CUT = %w[failed cut].freeze

      # Rounds before anything is decided.
      LOOK = Stats::Race::LOOKS.first

      # Shorter ones find no rate.
      LEAST_SEARCH_S = 6

      # A request that waits for longer than that waits for ever.
      MOST_WAITING = 0.99

      # At this factor beyond its rate a setting is shown to degrade or to collapse: to serve less
      # than HELD of it.
      BEYOND = 1.5
      HELD = 0.8

      # The chance that any two settings are told apart that do not differ.
      ALPHA = 0.05

      # Seconds of a million requests at one a second, in hours.
      MILLION_H = 1e6 / 3600

      # What is searched, how often, and for how long on each server.
      Searches = Struct.new(:names, :rounds, :search_s, keyword_init: true) do
        include Value
      end

      attr_reader :rules, :present

      # run: of Store#result.
      #: (Store::Run) -> void
      def initialize(run)
        @run = run
        @rules = run.study.tuning
        @present = run.study.baseline
        planned = run.cohorts.select { |cohort| cohort.spec.baseline }
        @searches, @heats = planned.partition { |cohort| cohort.spec.search_s }
      end

      # The race so far.
      #: () -> Stats::Race
      def race = @race ||= raced

      # What to do once all that was planned is done: :race (another round), :search or :nothing.
      #: () -> Symbol
      def next
        return :nothing if @searches.any? || race.state == :nobody

        race.state == :continue && racers.size > 1 ? :race : :search
      end

      # Those of the next round of the race: all that are left, if the rounds up to its next look
      # fit in its share of the budget; else as many of the best as do, and the present one.
      #: () -> Array[String]
      def racers
        rounds = [LOOK - race.rounds, 1].max
        room = ((RACE_SHARE * budget_s) - spent_s) / (rounds * trial_s)
        return race.alive if room >= race.alive.size || trial_s.zero?

        best = room >= 2 ? race.alive.max_by(room.floor) { |name| lead(name) } : []
        race.alive & [*best.first([room.floor - 1, 0].max), present, *best].first(room.floor)
      end

      # Why the race ended: Stats::Race#state, or :budget; nil while it goes on.
      #: () -> Symbol?
      def race_ended
        return race.state unless race.state == :continue

        :budget if @searches.any?
      end

      # The setting that every cohort of the next round of the race has.
      #: () -> String
      def common = racers.include?(present) ? present : race.leader

      # The searches that fit in what is left of the budget: of the best that are left and of the
      # present setting, on ROUNDS boots each; else on one, and then of fewer of them.
      #: () -> Analysis::Tuning::Searches
      def searches
        counts = FINALISTS.downto(1).map { |count| [count, 1] }
        count, rounds = [[FINALISTS, ROUNDS], *counts].find do |few, often|
          each_s(finalists(few), often) >= LEAST_SEARCH_S
        end
        names = finalists(count || 1)
        search_s = [each_s(names, rounds || 1), LEAST_SEARCH_S].max
        Searches.new(names:, rounds: rounds || 1, search_s:)
      end

      # The settings, the best first: those searched by their rates, then as they raced.
      #: () -> Array[Analysis::Tuning::Setting]
      def settings
        @settings ||= @run.study.variants.map { |variant| setting(variant) }
                          .sort_by.with_index { |one, place| [*rank(one), place] }
      end

      # Names of those worth choosing from, by rate and memory (Frontier).
      #: () -> Array[String]
      def front
        points = within.map do |one|
          Frontier::Point.new(name: one.name, rate_per_s: one.rate.value,
                              memory_bytes: one.memory&.value)
        end
        Frontier.new(points).front.map(&:name)
      end

      # The one to use: of those that need no more memory than allowed and are within the margin of
      # the highest rate, the one that needs the least. nil if the limit held for none.
      #: () -> Analysis::Tuning::Setting?
      def recommended
        fitting = within.select { |one| fits?(one) }
        best = fitting.map { |one| one.rate.value }.max or return
        near = fitting.select { |one| one.rate.value * (1 + rules.margin) >= best }
        near.min_by { |one| [one.memory&.value.to_f, -one.rate.value] }
      end

      # The ratio of the recommended setting's rate to the present one's; nil if either is unknown,
      # or they are one.
      #: () -> Stats::Interval?
      def gain
        pick = recommended
        return if pick.nil? || pick.name == present

        lead = contrasts.between(present, pick.name, alpha: ALPHA)
        lead.interval(alpha: ALPHA) if lead.count.positive?
      end

      # Is the present setting the recommended one, or not told apart from it? nil if that is not
      # known.
      #: () -> bool?
      def present_is_best?
        pick = recommended or return
        return true if pick.name == present

        gain&.low && gain.low <= 1 + rules.margin
      end

      # [processes, threads] as declared, else as its servers attested.
      #: (String) -> [Integer?, Integer?]
      def shape(name)
        variant = @run.study.variant(name)
        return [variant.processes, variant.threads] if variant.processes

        trials(name, @heats + @searches).last&.attested.to_h.values_at(:workers, :threads)
      end

      # What binds in place of threads.
      #: () -> Array[Analysis::Finding]
      def binding = [pool].compact

      # What a request waits of its time (for a database, say) where it has a process of one thread
      # for itself, as a share, and so how many fit into a process at a time; nil if that setting
      # was not measured.
      #: () -> { share: Float, fit: Float }?
      def waiting
        alone = @run.study.variants.select { |one| one.processes == 1 && one.threads == 1 }
        shares = alone.flat_map { |one| trials(one.name, @heats) }.filter_map do |trial|
          rate, used_us = Figures.new(trial).throughput_per_s, used_us(trial)
          1 - (rate * used_us / 1e6) if rate && used_us
        end
        return if shares.empty?

        share = Stats::Center.median(shares).clamp(0.0, MOST_WAITING)
        { share:, fit: 1 / (1 - share) }
      end

      # Seconds that its cohorts took.
      #: () -> Float
      def spent_s = seconds(@run.cohorts)

      private

      def seconds(cohorts)
        cohorts.select(&:done?).sum(0.0) { |one| (one.finished_ms - one.started_ms) / 1000.0 }
      end

      def budget_s = @run.study.budget_s

      # Seconds of one server, besides a search.
      def trial_s
        servers = @heats.select(&:done?).sum { |one| one.spec.variants.size }
        servers.zero? ? 0.0 : seconds(@heats) / servers
      end

      def each_s(names, rounds) = ((budget_s - spent_s) / (rounds * names.size)) - trial_s

      def finalists(count)
        best = race.alive.max_by(count) { |name| lead(name) }
        best | ([present] - race.out.select { |_, why| why == FAILED }.keys)
      end

      # Over the leader, a logarithm.
      def lead(name)
        race.lead(race.leader, name)&.value || Stats::Center.mean(@values[name])
      end

      def raced
        @values = Hash.new { |values, name| values[name] = [] }
        names = @run.study.variants.reject(&:refusal).map(&:name)
        race = Stats::Race.new(names, better: :more, margin: rules.margin)
        @heats.group_by(&:round).sort.each do |_, cohorts|
          break unless cohorts.all?(&:done?) && race.state == :continue

          add(race, round_values(cohorts), cohorts.flat_map { |one| one.spec.variants })
        end
        race
      end

      # Those for which there was no time are out as well as those that could not be measured.
      def add(race, values, planned)
        values = values.slice(*race.alive)
        values.each { |name, value| @values[name] << value }
        missing = race.alive - values.keys
        race.add(values, out: missing.to_h { |name| [name, planned.include?(name) ? FAILED : CUT] })
      end

      # { name => log of its rate }, relative to the common setting's beside it; without that in one
      # of several cohorts, as it is: drift is the lesser evil.
      def round_values(cohorts)
        beside = cohorts.all? { |cohort| slices(cohort).key?(cohort.spec.baseline) }
        cohorts.map { |cohort| beside ? relative(cohort) : absolute(cohort) }.inject(:merge)
      end

      def relative(cohort)
        all = slices(cohort)
        all.transform_values do |own|
          Stats::Effect.difference(all[cohort.spec.baseline], own, :throughput_per_s)
        end.compact
      end

      def absolute(cohort)
        rates = measured(cohort).to_h do |one|
          [one.variant, Figures.new(one).throughput_per_s]
        end
        rates.compact.transform_values { |rate| Math.log(rate) }
      end

      def slices(cohort) = measured(cohort).to_h { |one| [one.variant, one.measured_slices] }

      def measured(cohort) = cohort.trials.select(&:measured?)

      def trials(name, cohorts)
        cohorts.flat_map { |cohort| measured(cohort) }.select { |one| one.variant == name }
      end

      def setting(variant)
        name = variant.name
        all, searched = [@heats + @searches, @searches].map { |cohorts| trials(name, cohorts) }
        found = searched.filter_map(&:found)
        rate = rate(found)
        memory = estimate(searched.empty? ? all : searched, &:memory_bytes)
        Setting.new(name:, state: state(variant, rate), mark: marks[name], rate:,
                    at_least: found.any? { |one| one[:outcome] == "at_least" },
                    figure_ms: positive(found.filter_map { |one| one[:figure_ms] }), memory:,
                    boot_ms: estimate(all, &:boot_ms), beyond: beyond(found),
                    cost_per_million: cost(rate, memory, all),
                    drop: race.dropped[name], reason: reason(variant), boots: all.size)
      end

      # Of a request: CPU time, and what it waited for a core, which is no wait of its own.
      def used_us(trial)
        cpu_us = Figures.new(trial).cpu_us_per_request
        first, *, last = trial.readings
        return cpu_us unless cpu_us && last

        waited_ns = [first, last].map { |one| one.kernel[:cpu_wait_ns] }
        good = last.good - first.good
        return cpu_us unless waited_ns.all? && good.positive?

        cpu_us + ((waited_ns.last - waited_ns.first) / 1000.0 / good)
      end

      # Settings whose threads share fewer connections to the database.
      def pool
        short = @run.study.variants.filter_map do |variant|
          threads = shape(variant.name).last
          sizes = trials(variant.name, @heats + @searches).filter_map { |one| one.attested[:pool] }
          [variant.name, threads, sizes.max] if threads && sizes.any? && sizes.max < threads
        end
        return if short.empty?

        Finding.note("pool_below_threads", names: short.map(&:first).join(", "),
                                           threads: short.map { |one| one[1] }.max,
                                           pool: short.map(&:last).min)
      end

      # Over boots; nil if none has it.
      def estimate(trials) = positive(trials.filter_map { |one| yield Figures.new(one) })

      def positive(values) = values.empty? ? nil : Stats::Interval.of_positive(values)

      # Over boots; of one boot as its search has it. 0 where the limit held at no rate in most.
      def rate(found)
        return if found.empty?
        return Stats::Interval.new(value: 0.0, count: found.size) if
          found.count { |one| one[:outcome] == "none" } * 2 > found.size

        rates = found.filter_map { |one| one[:rate_per_s] }
        return if rates.empty?
        return Stats::Interval.of_positive(rates) unless rates.one?

        Stats::Interval.new(**found.first.slice(:low, :high), value: rates.first, count: 1)
      end

      def state(variant, rate)
        name = variant.name
        return "refused" if variant.refusal
        return "searched" if rate
        return race.out.fetch(name) if race.out.key?(name)
        return "dropped" if race.dropped.key?(name)

        race_ended ? "raced" : "waiting"
      end

      def reason(variant)
        return variant.refusal if variant.refusal

        all = @run.cohorts.flat_map(&:trials).select { |one| one.variant == variant.name }
        all.reject(&:measured?).last&.reason if race.out[variant.name] == FAILED
      end

      # With the share of its rate that a setting serves of BEYOND times that: the median boot.
      def beyond(found)
        shares = found.filter_map { |one| one[:beyond_share] }
        return if shares.empty?

        share = Stats::Center.median(shares)
        { share:, collapses: share < HELD }
      end

      # The more it serves, the less a request costs.
      def cost(rate, memory, trials)
        cores = trials.filter_map(&:cores).max
        return unless rules.price && rate&.value&.positive? && memory && cores

        hour = (cores * rules.price[:core_hour]) + (memory.value / 1e9 * rules.price[:gb_hour])
        value, high, low = [rate.value, rate.low, rate.high].map do |per_s|
          per_s && (hour * MILLION_H / per_s)
        end
        Stats::Interval.new(value:, low:, high:, count: rate.count)
      end

      def within = settings.select { |one| one.rate&.value.to_f.positive? }

      def fits?(setting)
        rules.memory_bytes.nil? || setting.memory&.value.to_f <= rules.memory_bytes
      end

      def rank(setting)
        [setting.rate ? 0 : 1, -setting.rate&.value.to_f,
         race.alive.include?(setting.name) ? 0 : 1, -(@values[setting.name].last || -1e9)]
      end

      # { name => "ab" }: marks of those that were not told apart, all pairs judged together.
      def marks = @marks ||= Stats::Groups.marks(groups)

      def groups
        names = logs.flat_map(&:keys).uniq.sort_by { |name| -mean_log(name) }
        return [] if logs.size < ROUNDS

        pairs = names.combination(2).to_a
        p_values = pairs.map { |one, other| contrasts.between(one, other, alpha: ALPHA).p || 1.0 }
        found = pairs.zip(Stats::Holm.adjust(p_values)).to_h
        Stats::Groups.of(names) { |one, other| found.fetch([one, other]) < ALPHA }
      end

      def mean_log(name) = Stats::Center.mean(logs.filter_map { |one| one[name] })

      # { name => log of its highest rate } of each round of searches.
      def logs
        @logs ||= @searches.select(&:done?).map do |cohort|
          found = measured(cohort).to_h { |one| [one.variant, one.found&.fetch(:rate_per_s)] }
          found.compact.transform_values { |rate| Math.log(rate) }
        end
      end

      def contrasts
        @contrasts ||= Stats::Contrasts.new(logs, rounds: [*0...logs.size], baseline: present)
      end
    end
  end
end
