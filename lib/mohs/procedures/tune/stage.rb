# frozen_string_literal: true

module Mohs
  module Tune
    # What a cohort of a tuning is part of, for people: "first settings, 1 of 3"; "race, round 2"
    # (how many there will be is unknown); "search, boot 1 of 3". Pure.
    module Stage
      module_function

      # What counts the cohorts of a kind; rounds of the race have parts.
      COUNTED = { "first settings" => ",", "search" => ", boot" }.freeze
      private_constant :COUNTED

      # cohorts: those of its plan so far. The rest of a resumed tuning does not show which of how
      # many it is.
      #: (Plan::CohortSpec, Array[Plan::CohortSpec]) -> String
      def of(cohort, cohorts)
        kind = kind(cohort)
        same = cohorts.select { |one| one.baseline && kind(one) == kind }
        return kind if cohorts.first.position&.positive?
        return kind if same.one? && !COUNTED.key?(kind)

        "#{kind}#{COUNTED.fetch(kind, ', part')} #{same.index(cohort) + 1} of #{same.size}"
      end

      def kind(cohort)
        return "first settings" if cohort.own[:opening]

        cohort.own[:search_s] ? "search" : "race, round #{cohort.round}"
      end
      private_class_method :kind
    end
  end
end
