# frozen_string_literal: true

module Mohs
  module Tune
    # The setting to use, by the rates and the memory of all, and how it compares with the present
    # one, with faster ones and with its neighbours. Pure.
    class Recommendation
      # A setting whose number of threads or processes is the next to that of the recommended one.
      # `ratio` is its rate over that of the recommended one, a Stats::Interval; `by` says of which
      # rates: the highest ones ("limit"; 0 where the limit held at none) or those of the race, with
      # all threads busy ("race").
      Step = Struct.new(:name, :by, :ratio, keyword_init: true) { include Value }

      # tuning: what is known of the settings. choice: the rule by which one is chosen.
      #: (Tune::Result, choice: Tune::Choice, budget: Tune::Budget) -> void
      def initialize(tuning, choice:, budget:)
        @tuning = tuning
        @choice = choice
        @budget = budget
      end

      # Of the settings that need no more memory than allowed: the one with the highest rate, or a
      # cheaper one that is about as fast (Choice). Where a rate is wanted: the cheapest that surely
      # serves it, else the cheapest that seems to, else the one with the highest rate. nil if the
      # limit held for none.
      #: () -> Tune::Result::Setting?
      def setting = @choice.call(fitting)

      # Names of the settings worth choosing from, the highest rate first: those that no other beats
      # (Pareto), by the figures as they are. A setting whose memory is unknown, while that of
      # others is known, neither beats another nor is beaten.
      #: () -> Array[String]
      def frontier
        known = fitting.all? { |one| one.memory.nil? } ? fitting : fitting.select(&:memory)
        known.reject { |one| known.any? { |other| beats?(other, one) } }.map(&:name)
      end

      # Names of the others that may serve more than the recommended setting: those whose rate is a
      # bound. None where that setting is enough for the wanted rate.
      #: () -> Array[String]
      def may_serve_more
        pick = setting
        pick.nil? || enough?(pick) ? [] : bounded - [pick.name]
      end

      # Does the setting surely serve the wanted rate? nil if that is unknown, or no rate is wanted.
      #: (Tune::Result::Setting) -> bool?
      def enough?(setting) = @choice.enough?(setting)

      # Is it unknown whether the setting serves the wanted rate, although each of its searches
      # found that it does? They were too few or too short, or differ too much.
      #: (Tune::Result::Setting) -> bool
      def seems_enough?(setting) = @choice.seems_enough?(setting)

      # The setting with the highest rate, if that is not the recommended one; nil also where a rate
      # is wanted. `ratio` is its rate over that of the recommended one; `reason` says why that one
      # is preferred: "memory" (it needs clearly less), "present" (it needs no change) or "threads"
      # (it has fewer).
      #: () -> { name: String, ratio: Stats::Interval, reason: String }?
      def faster
        pick = setting
        return if pick.nil? || rules.wanted_per_s

        first = fitting.first
        return if first == pick

        { name: first.name, ratio: rates.ratio(pick.name, first.name),
          reason: preferred_for(pick, first) }
      end

      # The ratio of the recommended setting's rate to the present one's; a lower bound if the
      # former's rate is one (Setting#bound), and so is its low end. nil if they are the same
      # setting, or if either rate is unknown.
      #: () -> Stats::Interval?
      def gain = over_present.interval

      # A further tuning that would show such a gain, if this one is undecided: nil, too, if that
      # would take too long, or if a rate is wanted.
      #: () -> Tune::Further?
      def further
        return if @tuning.modelled? || gain&.low.nil? || gain.excludes?(1)
        return if rules.wanted_per_s || spares_memory?

        name = setting.name
        found = [name, present].flat_map { |one| rates.found(one) }
        effect = rates.gain(setting, alpha: Result::ALPHA).effect
        Further.of(name, effect, margin: rules.margin, budget: @budget,
                                 search_s: SearchTime.needed_by_s(found) || SearchTime::LEAST_S)
      end

      # Should the present setting stay although another is recommended, as long as the gain may be
      # chance, or there may be none, as the present rate is a bound? Not if it can't be used, or if
      # the recommended one needs clearly less memory. Where a rate is wanted, or searches are not
      # over, that is not the question.
      #: () -> bool
      def keep_present?
        return false if rules.wanted_per_s || rates.boots_so_far || present_is_best? == false
        return false unless gain || may_serve_more.include?(present)

        @tuning.fits?(present_setting) && !smaller_than_present?
      end

      # Does the recommended setting need clearly less memory than the present one, and serve about
      # as many requests at least?
      #: () -> bool
      def spares_memory? = smaller_than_present? && !gain&.low.nil? && gain.low >= alike.first

      # The boots on which the recommended or the present setting was searched, whichever are fewer,
      # if these are too few to compare them; else nil.
      #: () -> Integer?
      def few_boots
        counts = [setting, present_setting].filter_map { |one| one&.rate&.count }
        counts.min if counts.any? && counts.min < Result::ROUNDS
      end

      # Is the present setting the recommended one, or not shown to be worse by more than the
      # margin? Where a rate is wanted: does it surely serve that rate, and need no more memory? nil
      # if that is unknown. False if it does not fit into the memory, or if the limit held at no
      # rate, or if its server ended, or stopped responding, where that of another setting did not.
      #: () -> bool?
      def present_is_best?
        pick = setting or return
        return false if @tuning.failed?(present)

        now, early = present_setting, rates.boots_so_far
        return (as_cheap?(now, pick) unless early) if rules.wanted_per_s
        return false unless @tuning.fits?(now)
        return if few_boots || early
        return false if now.rate&.value&.zero?

        not_worse?(pick)
      end

      # Why it is not known whether the present setting is the best; nil if it is known.
      #: () -> Reason?
      def present_unknown
        return unless present_is_best?.nil?
        return Reason.new(code: "tune_unknown_early") if rates.boots_so_far
        return Reason.new(code: "tune_unknown_few", values: { boots: few_boots }) if few_boots

        return Reason.new(code: "tune_unknown_bounds", values: { names: open_bounds }) if
          open_bounds.any?
        return Reason.new(code: "tune_unknown_rate", values: { present: }) if rules.wanted_per_s

        Reason.new(code: setting ? "tune_unknown_search" : "tune_unknown_best")
      end

      # What it costs to be one step away from the recommended setting: fewer or more threads at the
      # same number of processes, or fewer or more processes with the same number of threads. Only
      # of settings that both have enough boots for an interval.
      #: () -> Array[Tune::Recommendation::Step]
      def steps
        pick = setting or return []
        neighbours = @tuning.shapes.neighbours(pick.name)
        neighbours.filter_map { |name| limit_step(pick, name) || race_step(pick, name) }
      end

      private

      def rules = @tuning.rules

      def rates = @tuning.rates

      def present = @tuning.present

      def present_setting = @tuning.setting(present)

      # Settings with a rate that may be recommended, the best first.
      def fitting
        @tuning.settings.select { |one| one.rate&.value.to_f.positive? && @tuning.fits?(one) }
      end

      # Is it nowhere worse, and somewhere better?
      def beats?(other, one)
        gains = [other.rate.value <=> one.rate.value]
        gains << (one.memory.value <=> other.memory.value) if one.memory
        gains.none?(&:negative?) && gains.any?(&:positive?)
      end

      # Is the present setting not shown to be worse than the recommended one by more than the
      # margin? nil if that is unknown: a rate may be far above its bound.
      def not_worse?(pick)
        return false if gain&.low && gain.low > alike.last

        true if (gain&.low || pick.name == present) && open_bounds.empty?
      end

      # The ratios of rates that are within the margin.
      def alike = Analysis::Verdict::Judge.alike(rules.margin)

      def over_present = rates.gain(setting)

      # Names of the settings whose rates, as bounds, leave open whether the present one is the
      # best: all but its own, if it is recommended; where a rate is wanted, its own alone.
      def open_bounds
        return bounded & [present] if rules.wanted_per_s

        setting&.name == present ? bounded - [present] : bounded
      end

      # Names of the settings that may be recommended and whose rate is a bound.
      def bounded = fitting.select(&:bound).map(&:name)

      def smaller_than_present? = @choice.smaller?(setting, present_setting) == true

      def preferred_for(pick, faster)
        return "memory" if @choice.smaller?(pick, faster)
        return "present" if pick.name == present

        fewer = [pick, faster].map { |one| @tuning.shapes.slots(one.name) }.reduce(:<)
        fewer ? "threads" : "memory"
      end

      def as_cheap?(now, pick)
        return false unless @tuning.fits?(now)

        enough = enough?(now)
        return enough if !enough || now.name == pick.name

        dearer = @choice.smaller?(pick, now)
        dearer.nil? ? nil : !dearer
      end

      def limit_step(pick, name)
        return Step.new(name:, by: "limit", ratio: over_present.reverse) if
          name == present && gain&.low && !pick.bound

        rate = @tuning.setting(name).rate or return
        return Step.new(name:, by: "limit", ratio: rate) if rate.value.zero?
        return unless rates.comparable?(pick.name, name)

        ratio = rates.ratio(pick.name, name)
        Step.new(name:, by: "limit", ratio:) if ratio&.low
      end

      def race_step(pick, name)
        return if @tuning.failed?(name)

        ratio = @tuning.race.over(pick.name, name)
        Step.new(name:, by: "race", ratio:) if ratio&.low
      end
    end
  end
end
