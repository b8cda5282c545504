# frozen_string_literal: true

module Mohs
  module Repro
    # The test cases of a published study: each claim.
    module TestCases
      KIND = View::KIND
      RESULTS = { "contradicted" => :failure, "undecided" => :skipped,
                  "not_measured" => :skipped, "not_testable" => :skipped }.freeze

      #: (Hash[Symbol, untyped]) -> Array[Exporters::TestCase]
      def self.of(document)
        document[:claims].to_a.map do |claim|
          judgement = claim[:judgement]
          Exporters::TestCase.new(group: "claim", name: "#{claim[:text]} (#{claim[:place]})",
                                  result: RESULTS[judgement], type: judgement,
                                  message: claim[:reason] || judgement, output: claim[:reason])
        end
      end
    end
  end
end
