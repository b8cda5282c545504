# frozen_string_literal: true

module Mohs
  module Analysis
    # What a plan's budget cut, as findings about the variant or the rounds that it names: stored
    # with the plan, which knows no findings.
    module Dropped
      module_function

      # Older runs stored a sentence, `why`.
      #: (Plan) -> Array[Analysis::Finding]
      def call(plan)
        plan.dropped.to_a.map do |cut|
          values = cut[:values] || cut.slice(:why)
          Finding.new(code: cut[:code] || "dropped_recorded", severity: :info, subject: cut[:name],
                      values:)
        end
      end
    end
  end
end
