# frozen_string_literal: true

module Mohs
  module Tune
    # What is said of a tuning while it is measured: what it does next, and its answer so far.
    class ProgressText < Report::Terminal::ProgressText
      LAST_LOAD = "searching its highest rate"

      # Its searches, or a round with fewer settings than are left.
      #: (Hash[Symbol, untyped]) -> Array[String]
      def changed(facts)
        before, @plan = @plan, facts[:plan]
        plan = @plan
        added = plan.cohorts.drop(before.cohorts.size)
        race, searching = @document&.fetch(:race), added.select { |one| one.own[:search_s] }
        left, chosen = race&.fetch(:left), added.flat_map(&:variants).uniq
        cut = race && race[:ended].nil? && (left - chosen).any? && !@document[:wanted_per_s]
        return [searches(searching, cut:)] if searching.any?
        return [] unless race

        going_on = chosen | (left & opened(before, added))
        return [] if (left - going_on).empty?

        [Report::Render.text("tune_shrinks", names: going_on.sort.join(", "))]
      end

      # The result so far, after each round, and each new reason to doubt it.
      #: (Hash[Symbol, untyped]) -> Array[String]
      def at_end(facts)
        document = facts[:document] or return []
        fresh = document[:warnings].reject { |one| @cautions.to_a.include?(one[:code]) }
        @cautions = [*@cautions, *fresh.map { |one| one[:code] }]
        [below("so far: #{document[:sentence]}"),
         *fresh.map { |one| below("caution: #{one[:text]}") }]
      end

      # As far as the cohort is planned.
      #: () -> String
      def place = @cohort ? Stage.of(@cohort, @plan.cohorts) : super

      private

      # Settings that were measured in the opening of a round.
      def opened(plan, cohorts)
        rounds = cohorts.map(&:round)
        opened = plan.cohorts.select { |one| one.own[:opening] && rounds.include?(one.round) }
        opened.flat_map(&:variants)
      end

      def searches(cohorts, cut:)
        first = cohorts.first
        Report::Render.text("tune_searches", names: first.variants.sort.join(", "), cut:,
                                             boots: cohorts.size, search_s: first.own[:search_s])
      end
    end
  end
end
