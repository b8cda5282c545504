# frozen_string_literal: true

module Mohs
  module Analysis
    # What was cut from a plan to fit its time, as findings about the variant or the rounds that
    # each names: stored with the plan, which knows no findings.
    module BudgetCuts
      module_function

      # dropped: as in Plan#dropped.
      #: (Array[Hash[Symbol, untyped]]?) -> Array[Analysis::Finding]
      def call(dropped)
        dropped.to_a.map do |cut|
          Finding.new(severity: :info, subject: cut[:name], **cut.slice(:code, :values))
        end
      end
    end
  end
end
