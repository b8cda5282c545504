# frozen_string_literal: true

module Mohs
  module Tune
    # What a cohort of a tuning is part of, for people: "first settings, 1 of 3"; "race, round 2"
    # (how many there will be is unknown); "search, boot 1 of 3". Pure.
    module Stage
      module_function

      NAMES = { opening: "first settings", search: "search" }.freeze

      # What counts the cohorts of a stage, of which there may be one; rounds of the race have parts
      # if they have several.
      COUNTED = { opening: ",", search: ", boot" }.freeze
      private_constant :NAMES, :COUNTED

      # cohorts: those of its plan so far. The rest of a resumed tuning does not show which of how
      # many it is.
      #: (Plan::CohortSpec, Array[Plan::CohortSpec]) -> String
      def of(cohort, cohorts)
        stage = stage(cohort)
        name = NAMES.fetch(stage) { "race, round #{stage}" }
        same = cohorts.select { |one| one.baseline && stage(one) == stage }
        return name if cohorts.first.position&.positive?
        return name if same.one? && !COUNTED.key?(stage)

        "#{name}#{COUNTED.fetch(stage, ', part')} #{same.index(cohort) + 1} of #{same.size}"
      end

      # :opening, :search, or the number of a round of the race.
      def stage(cohort)
        return :opening if cohort.own[:opening]

        cohort.own[:search_s] ? :search : cohort.round
      end
      private_class_method :stage
    end
  end
end
