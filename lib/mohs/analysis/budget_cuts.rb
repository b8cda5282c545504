# frozen_string_literal: true

module Mohs
  module Analysis
    # What was cut from a plan to fit its time, as findings about the variant or the rounds that
    # each names: stored with the plan, which knows no findings.
    module BudgetCuts
      module_function

      # dropped: as in Plan#dropped. Older runs stored a sentence, `why`.
      #: (Array[Hash[Symbol, untyped]]?) -> Array[Analysis::Finding]
      def call(dropped)
        dropped.to_a.map do |cut|
          values = cut[:values] || cut.slice(:why)
          Finding.new(code: cut[:code] || "dropped_recorded", severity: :info, subject: cut[:name],
                      values:)
        end
      end
    end
  end
end
