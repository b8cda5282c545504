# frozen_string_literal: true

module Mohs
  class Plan
    # How far a run is, and how much time it still needs: the plan's estimate, corrected by each
    # boot and warm-up as soon as it is over (Estimator). Installing and waiting for another mohs
    # don't count: the clock starts with the first cohort.
    class TimeLeft
      # The stages of a trial that count for its variant; other stages count for the cohort.
      PARTS = { boot: :boot_s, attest: :boot_s, check: :boot_s, warm: :warm_up_s,
                settle: :warm_up_s }.freeze
      # A running stage never counts as done: at least this share of its time is still to come.
      LEAST = 0.05

      # The time shown never grows by more than this share of the least time shown before: a stage
      # that takes longer than expected is no reason to announce another time, since what follows
      # may take less, or be left out to keep the announced time.
      MOST_GROWTH = 0.25

      # whole_s: the duration of a run that fills it, however much is planned so far.
      #: (Plan, Plan::Estimator, ?clock: Module, ?whole_s: Numeric?) -> void
      def initialize(plan, estimator, clock: Clock, whole_s: nil)
        @whole_s = whole_s
        @left = plan.cohorts.select(&:baseline).to_h { |one| [one.position, one] }
        @estimator = estimator
        @clock = clock
        @announced_s = plan.estimate_s
        @planned = plan.cohorts.map(&:position)
        @begun = []
        @took_s = 0.0
        @current = nil
      end

      #: (Integer) -> void
      def started(position)
        @begun << position
        cohort = @left.delete(position)
        @current = cohort ? cohort.variants : []
        @recorded = cohort ? cohort.recorded : []
        @spent = Hash.new(0.0)
        @lasted = Hash.new(0.0)
        @stage = []
        @waits = false
        @since_ns = @clock.mono_ns
      end

      # mohs installs something, or waits for another mohs, until the next stage of a trial: such
      # time does not predict how long a cohort takes.
      #: () -> void
      def waits
        pass if @current
        @waits = true
      end

      # A stage of a trial begins. facts: of the event :trial.
      #: (Hash[Symbol, untyped]) -> void
      def trial(facts)
        return unless @current

        resume if @waits
        return @estimator.ended(facts[:variant]) if facts[:stage] == :ended
        return again if facts[:stage] == :alone

        @estimator.serves(*facts.values_at(:variant, :per_s)) if facts[:per_s]
        names = facts.fetch(:wave) { [facts[:variant]] }
        enter(names.filter_map { |name| part(name, facts[:stage]) })
      end

      # A stage is over, and the next one is not known yet.
      #: () -> void
      def between
        enter([]) if @current
      end

      #: () -> void
      def finished
        return unless @current

        resume if @waits
        enter([])
        trials = @estimator.still_tried(@current).size
        @estimator.rest(@spent[nil] / trials) if trials.positive?
        @took_s += @spent.values.sum
        @current = nil
        @announced_s = 0
      end

      # The plan was changed. announced_s: the new time of the whole run, nil if the old one is
      # kept; the time shown follows it. Of a run that seemed to be over, it is what is left now.
      #: (Plan, ?announced_s: Numeric?) -> void
      def replan(plan, announced_s: nil)
        @least_s = nil if @left.empty? && @current.nil?
        left = plan.cohorts.select { |one| one.baseline && to_come?(one.position) }
        @left = left.to_h { |one| [one.position, one] }
        @least_s = [announced_s - spent_s, 0.0].max if announced_s
      end

      # 0..1.
      #: () -> Float
      def share
        left = shown_s
        (spent_s + left).zero? ? 0.0 : spent_s / (spent_s + left)
      end

      # Seconds until now.
      #: () -> Float
      def spent_s = @took_s + (@current ? @spent.values.sum : 0.0)

      # Expected seconds to come.
      #: () -> Float
      def left_s
        current_left_s + @left.values.sum { |cohort| @estimator.cohort_s(cohort) }
      end

      # Seconds to come, for a user to read. Until the first cohort is over, not less than
      # announced: too little is known of the others before.
      #: () -> Float
      def shown_s
        return [@whole_s - spent_s, 0.0].max if @whole_s

        left = left_s
        left = [left, @announced_s - spent_s].max
        shown = [left, *@least_s&.*(1 + MOST_GROWTH)].min
        @least_s = [shown, *@least_s].min
        shown
      end

      private

      # In a resumed run, finished cohorts are not in the plan.
      def to_come?(position)
        planned = @planned.include?(position) || position > @planned.max.to_i
        planned && !@begun.include?(position)
      end

      def resume
        @waits = false
        @since_ns = @clock.mono_ns
      end

      # The variant and the part of its trial that a stage counts as; nil if it counts for the
      # cohort.
      def part(name, stage)
        part = PARTS[stage] or return
        [name, part == :warm_up_s ? Estimator.warm_up(name, @recorded) : part]
      end

      # The cohort's servers boot anew, to warm up one at a time (Cohort::Execution). What they took
      # until now predicts nothing.
      def again
        pass
        @took_s += @spent.values.sum
        [@spent, @lasted].each(&:clear)
        @stage = []
        @estimator.in_turns
      end

      # A stage is over when another begins.
      def enter(stage)
        pass
        (@stage - stage).each { |part| @estimator.took(*part, @lasted[part]) }
        @stage = stage
      end

      # Of trials that share a stage (`wave` in the event) each has spent an equal share of the
      # time, which lasted as long for all.
      def pass
        now = @clock.mono_ns
        parts = @stage.empty? ? [nil] : @stage
        unless @waits
          seconds = (now - @since_ns) / 1e9
          parts.each { |part| @spent[part] += seconds / parts.size }
          parts.each { |part| @lasted[part] += seconds }
        end
        @since_ns = now
      end

      def current_left_s
        return 0.0 unless @current

        pass
        names = @estimator.still_tried(@current)
        own = names.sum { |name| to_come(part(name, :boot)) } +
              @estimator.warm_ups_s(@current) { |name| to_come(part(name, :warm)) }
        rest = names.sum { |name| @estimator.rest_s(name) } - @spent[nil]
        [own + [rest, 0.0].max, @spent.values.sum * LEAST].max
      end

      # Seconds to come of one trial's boot or warm-up; the estimator knows what completed stages
      # took.
      def to_come(key) = [@estimator.own_s(*key) - @lasted.fetch(key, 0.0), 0.0].max
    end
  end
end
