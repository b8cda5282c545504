# frozen_string_literal: true

module Mohs
  module Compare
    # The plan of a comparison, printed before the run: it lasts until it is decided, so only the
    # time of the next look is known.
    class PlanText < Report::Terminal::PlanText
      # The line for a comparison in which a side is refused.
      #: (Array[Study::Variant]) -> String
      def self.incomparable(variants)
        "nothing can be compared: #{variants.filter_map(&:refusal_text).join('; ')}"
      end

      # The plan look by look.
      #: () -> String
      def to_s = incomparable? ? head : super

      private

      def incomparable? = @plan.cohorts.none?(&:baseline)

      def shape
        return "already complete" if @plan.cohorts.empty?
        return PlanText.incomparable(@study.variants) if incomparable?

        whole = @study.cores ? "in turns" : "in turns on the whole machine"
        scheme = { Plan::Scheme::DUET => "side by side, on half of the machine each",
                   Plan::Scheme::WHOLE => whole }.fetch(@plan.cohorts.first.scheme, "in turns")
        "#{Report::Numbers.called(@study.baseline)} (A) and " \
          "#{Report::Numbers.called(@study.rules.candidate)} (B) #{scheme} · " \
          "#{@guessed && first? ? first_look : "#{upcoming} about #{estimate}#{too_late}"}"
      end

      # Pages of 100 ms take four times as long as usual ones: no time is better than a wrong one.
      def first_look
        cohorts = Report::Numbers.counted(@study.rules.question.looks.first, "cohort")
        "first look after #{cohorts}#{too_short || ': the first shows how long they take'}"
      end

      # Usual pages are too slow for it.
      def too_short
        return unless late?

        ", which take #{Report::Numbers.duration(@plan.estimate_s)} or more: the budget of " \
          "#{Report::Numbers.duration(@study.rules.budget_s)} ends before it (try #{reaching})"
      end

      def first? = @plan.cohorts.first.position.zero?

      # A resumed run already has cohorts.
      def upcoming
        return "each alone," if @plan.cohorts.all? { |one| one.own[:solo] }

        first? ? "first look in" : "next look in"
      end

      def too_late
        return unless late?

        ", after the end of the budget of #{Report::Numbers.duration(@study.rules.budget_s)} " \
          "(#{reaching} reaches it)"
      end

      def late? = @study.rules.budget_s&.<(@plan.estimate_s)

      def reaching = Report::Numbers.typed(budget_s: Forecast::SPARE * @plan.estimate_s)

      def rows
        numbers = @study.rules.question.looks
        numbers = numbers.first(1) if @study.rules.quick
        rows = numbers.map.with_index { |count, index| look(count, index, numbers.size) }
        within = rows.take_while { |_, seconds, _| seconds <= (@study.rules.budget_s || seconds) }
        rows = [*within, over(within)] if within.size < rows.size
        timed = rows.map { |at, time, text| [at, Report::Numbers.duration(time), text] }
        [%w[after about look], *timed]
      end

      def look(count, index, size)
        text = "the last: decided or not" if index == size - 1
        text = "the first: decided if the difference is clear" if index.zero?
        seconds = @plan.seconds_of(count, hosts: @hosts).ceil
        [Report::Numbers.counted(count, "cohort"), seconds, text.to_s]
      end

      def over(within)
        budget_s = @study.rules.budget_s
        [within.empty? ? "no look" : "", budget_s,
         "then the budget of #{Report::Numbers.duration(budget_s)} is over"]
      end
    end
  end
end
