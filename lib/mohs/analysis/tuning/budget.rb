# frozen_string_literal: true

module Mohs
  module Analysis
    class Tuning
      # The time of a tuning: what it took so far, and what fits in the rest. In seconds. Pure.
      class Budget
        #: (Numeric, heats: Array[Store::Cohort], searches: Array[Store::Cohort]) -> void
        def initialize(total_s, heats:, searches:)
          @total_s = total_s
          @heats = heats.select(&:done?)
          @searches = searches.select(&:done?)
        end

        #: () -> Float
        def spent_s = seconds(@heats + @searches)

        #: () -> Float
        def left_s = @total_s - spent_s

        # What one server takes, without its search; 0 as long as that is unknown.
        #: () -> Float
        def trial_s
          servers = @heats.sum { |one| one.spec.variants.size }
          servers.zero? ? 0.0 : seconds(@heats) / servers
        end

        # How many settings may race for so many rounds more.
        #: (Integer) -> Numeric
        def room(rounds)
          return Float::INFINITY if trial_s.zero?

          ([(RACE_SHARE * @total_s) - spent_s, 0].max / (rounds * trial_s)).floor
        end

        # For each search, if all of the time left is for searches.
        #: (Integer, boots: Integer) -> Float
        def search_s(settings, boots:) = (left_s / (boots * settings)) - trial_s

        # The same while the race goes on, if that takes its whole share.
        #: (Integer, boots: Integer) -> Float
        def search_after_race_s(settings, boots:)
          search_s = [left_s, (1 - RACE_SHARE) * @total_s].min / (boots * settings)
          search_s - trial_s
        end

        # The budget in which each search has so long. race_cut: whether the race ends because its
        # share is over.
        #: (Integer, boots: Integer, search_s: Numeric, race_cut: bool) -> Float
        def needed_s(settings, boots:, search_s:, race_cut:)
          searches_s = boots * settings * (trial_s + search_s)
          race_cut ? searches_s / (1 - RACE_SHARE) : seconds(@heats) + searches_s
        end

        private

        def seconds(cohorts) = cohorts.sum(0.0, &:seconds)

        RACE_SHARE = Study::Tuning::RACE_SHARE
        private_constant :RACE_SHARE
      end
    end
  end
end
