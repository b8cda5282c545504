# frozen_string_literal: true

module Mohs
  module Tune
    # The plan of a tuning, printed before the run: it spends its budget on as many rounds as fit.
    class PlanText < Report::Terminal::PlanText
      private

      def shape
        settings = Report::Numbers.counted(measurable, "setting")
        present = @study.variant(@study.baseline)
        by_default = " (#{Servers.fetch(present.server).label}'s default)" unless present.config
        "#{settings}, #{@study.rules.limit}, about " \
          "#{Report::Numbers.duration(@plan.estimate_s)} · now: #{@study.baseline}#{by_default}"
      end

      # How many settings are not refused.
      def measurable = @study.variants.count { |one| !one.refusal }

      # How it spends its time, if the race takes its whole share.
      def how
        return unless @plan.cohorts.first&.position&.zero?

        settings = Result.most_searched(measurable)
        budget = Budget.new(@plan.estimate_s)
        needed_s = SearchTime::LEAST_S # the limit may need more
        searches = budget.searches_after_race(settings, needed_s:)
        Report::Render.text("tune_plan", race_s: budget.race_s, **searches.to_h)
      end

      # All threads are busy: that is what is raced.
      def crowding = nil

      def rows
        [["stage", "about", "variants, in boot order"],
         *cohorts { |one| Stage.of(one, @plan.cohorts) }]
      end
    end
  end
end
