# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What a cohort of a tuning is part of, for people: "first settings, 1 of 3"; "race, round 2",
      # whose number of rounds is open; "search, boot 1 of 3". Pure.
      module TuningStage
        module_function

        # cohorts: those of its plan so far.
        #: (Plan::CohortSpec, Array[Plan::CohortSpec]) -> String
        def of(cohort, cohorts)
          return nth("first settings,", cohort, cohorts.select(&:opening)) if cohort.opening
          return nth("search, boot", cohort, cohorts.select(&:search_s)) if cohort.search_s

          round = "race, round #{cohort.round}"
          same = cohorts.select { |one| one.round == cohort.round && !one.opening }
          same.size > 1 ? nth("#{round}, part", cohort, same) : round
        end

        # same: cohorts of its kind.
        def nth(name, cohort, same) = "#{name} #{same.index(cohort) + 1} of #{same.size}"
        private_class_method :nth
      end
    end
  end
end
