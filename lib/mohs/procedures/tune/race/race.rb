# frozen_string_literal: true

module Mohs
  module Tune
    # The race of a tuning: the settings by their closed-loop rates with all of their threads busy.
    # A setting that serves few requests there can't serve more within a limit than it does without
    # one. Computed from the rounds so far. Pure.
    class Race < Stats::Race
      # Why a setting is out of the race: it could not be measured, there was no time for it, it
      # needs more memory than allowed, or the present one's file sets the same.
      FAILED, CUT, TOO_LARGE, SAME = %w[failed cut too_large same].freeze

      # While the first round is not over: `leader`, the fastest of the settings that opened it;
      # `gain`, the ratio of its rate to that of the present one, a Stats::Interval (nil if it is
      # the present one, or that was not measured); `follow`, how many settings follow.
      Opening = Struct.new(:leader, :gain, :follow, keyword_init: true) { include Value }

      # The rates of its rounds, a RaceRounds.
      attr_reader :rates

      # cohorts: its cohorts, planned ones included.
      #: (Store::Run, cohorts: Array[Store::Cohort], memory_limit: Tune::MemoryLimit, shapes: Tune::Shapes) -> void
      def initialize(run, cohorts:, memory_limit:, shapes:)
        @run = run
        @cohorts = cohorts
        @memory_limit = memory_limit
        @shapes = shapes
        @rates = RaceRounds.new(cohorts)
        super(run.study.variants.reject(&:refusal).map(&:name), better: :more,
                                                                margin: run.study.rules.margin)
        run_rounds
      end

      #: () -> Tune::Race::Opening?
      def opening
        begun = rates.begun
        return if rounds.positive? || begun.all?(&:empty?)

        first = (begun.flat_map(&:keys).uniq - twins).max_by do |name|
          positive(begun.filter_map { |one| one[name] }).value
        end
        gain = ratio(begun, present, first) unless first == present
        Opening.new(leader: first, gain:, follow: (names - tried).size)
      end

      # Names of the settings that are out for one of these reasons.
      #: (*String) -> Array[String]
      def out_for(*reasons) = out.select { |_, why| reasons.include?(why) }.keys

      # Names of the settings that can't be recommended, or are the present one under another name.
      #: () -> Array[String]
      def unfit = out_for(FAILED, TOO_LARGE, SAME)

      # Is it out because it could not be measured, or did it open a race in which nobody could be?
      #: (String) -> bool
      def failed?(name)
        out[name] == FAILED || (rounds.zero? && hopeless? && tried.include?(name))
      end

      # Were the responses of all servers so far refused, and do all settings differ in processes
      # and threads alone? Then the others would be refused, too.
      #: () -> bool
      def hopeless?
        states = @run.trials.reject(&:lost?).map(&:state).uniq
        states == %w[refused] && @shapes.all_alike?
      end

      # The rate of a setting with all threads busy, over rounds; nil if it has none.
      #: (String) -> Stats::Interval?
      def busy(name) = positive((rates.rates + rates.begun).filter_map { |one| one[name] })

      # The ends that this rate has on its boots (RaceRounds#ends_on_boots_per_s) while the rounds
      # are too few for an interval; nil with more rounds, or with none.
      #: (String) -> [Float, Float]?
      def busy_on_boots_per_s(name)
        busy = busy(name)
        rates.ends_on_boots_per_s(name, busy.value) if busy && busy.low.nil?
      end

      # What is known of the settings before their searches, the fastest first: their names and
      # their memory.
      #: () -> Array[Tune::Result::Setting]
      def before_searches
        all = @run.study.variants.map(&:name)
        all.sort_by.with_index { |name, place| [-busy(name)&.value.to_f, place] }
           .map { |name| Result::Setting.new(name:, memory: memory(trials(name, @cohorts))) }
      end

      # The ratio of a setting's rate to that of `base`: as of the last look that had both (a
      # setting that returned to the race may lack one), else over all rounds; nil if none had both.
      #: (String, String) -> Stats::Interval?
      def over(base, name) = lead(base, name)&.exp || ratio(rates.rates, base, name)

      # How the rate grows with the threads of a process: of the settings that differ from this one
      # in processes and threads alone and have the same number of processes. nil if that is
      # unknown.
      #: (String) -> Tune::Scaling?
      def scaling(name)
        processes = @shapes.of(name).first or return
        same = @shapes.alike(name).select do |one|
          one.processes == processes && @shapes.all_busy?(one.name)
        end
        threads = same.to_h { |one| [one.name, one.threads] }
        levels = rates.rates.map { |one| one.slice(*threads.keys).transform_keys(threads) }
        Scaling.new(levels.reject(&:empty?), processes:,
                                             demand: Demand.of(alone(name), quota_cores:))
      end

      # What a request waits under the Ruby of this setting; nil if that is unknown.
      #: (String) -> Tune::Waiting?
      def waiting(name)
        trials = alone(name)
        Waiting.of(trials, cores: cores(trials))
      end

      # How long requests take on a server like this one; nil if that is unknown.
      #: (String) -> Tune::ServiceTimes?
      def service(name) = ServiceTimes.of(alone(name))

      # Cores that a server of these trials may use; nil if unknown.
      #: (Array[Store::Trial]) -> Numeric?
      def cores(trials) = [trials.filter_map(&:cores).max, quota_cores].compact.min

      private

      def present = @run.study.baseline

      def twins = @twins ||= @shapes.twins(present)

      # Settings that there was no time for are out, as are those that could not be measured, that
      # need too much memory, or that are the present one.
      def run_rounds
        rates.rounds.zip(@cohorts.map(&:round).uniq.sort) do |(values, planned), round|
          break unless state == :continue

          values = values.slice(*alive)
          same = values.keys & twins
          larger = larger(values.keys - same, round)
          again = spoiled_by_chance(alive - values.keys, round)
          out = (alive - values.keys - again).to_h do |name|
            [name, planned.include?(name) ? FAILED : CUT]
          end
          out.update(larger.to_h { [_1, TOO_LARGE] }, same.to_h { [_1, SAME] })
          add(values.except(*larger, *same), out:, again:)
        end
      end

      # Settings whose rate in this round is invalid by what happened to the load generator: they
      # are raced again, until the first look at most if they have no rate by then.
      def spoiled_by_chance(names, round)
        cohorts = @cohorts.select { |cohort| cohort.round == round }
        before = @cohorts.select { |cohort| cohort.round < round }
        early = before.map(&:round).uniq.size < LOOKS.first - 1
        names.select do |name|
          ended = of(name, cohorts).reject(&:measured?)
          ended.any? && ended.all?(&:by_chance?) && (early || of(name, before).any?(&:measured?))
        end
      end

      # Settings that need more memory than allowed, by the rounds so far: they can't be
      # recommended, so nothing is dropped for being slower than one of them.
      def larger(names, round)
        rounds = @cohorts.select { |cohort| cohort.round <= round }
        names.reject { |name| @memory_limit.fits?(memory(trials(name, rounds))) }
      end

      # Settings whose servers ran.
      def tried = @cohorts.select(&:done?).flat_map { |cohort| cohort.spec.variants }

      # The trials of the setting that is like this one, but of one process of one thread.
      def alone(name)
        @shapes.alike(name).select { |one| one.processes == 1 && one.threads == 1 }
               .flat_map { |one| trials(one.name, @cohorts) }
      end

      # The ratio of a setting's rate to that of `base`, over the rounds that have both; nil if none
      # has.
      def ratio(rounds, base, name)
        both = rounds.map { |one| one.values_at(base, name) }.select(&:all?)
        Stats::Effect.of(both.map { |from, to| Math.log(to / from) }).interval if both.any?
      end

      def quota_cores = @run.study.rules.cgroup.to_h[:cores]

      def memory(trials)
        positive(trials.filter_map { |one| Analysis::Figures.new(one).memory_bytes })
      end

      def positive(values) = values.empty? ? nil : Stats::Interval.of_positive(values)

      def trials(name, cohorts) = of(name, cohorts).select(&:measured?)

      def of(name, cohorts) = cohorts.flat_map(&:trials).select { |one| one.variant == name }
    end
  end
end
