# frozen_string_literal: true

module Mohs
  module Tune
    # The test case of --check: whether the present setting is still among the best.
    module TestCases
      KIND = View::KIND
      TYPE = "--check"
      RESULTS = { true => nil, false => :failure, nil => :skipped }.freeze

      #: (Hash[Symbol, untyped]) -> Array[Exporters::TestCase]
      def self.of(document)
        return [] unless document[:check]

        [Exporters::TestCase.new(group: "check", type: TYPE, output: document[:sentence],
                                 name: "#{document[:present]} is among the best settings",
                                 result: RESULTS.fetch(document[:present_is_best]),
                                 message: document[:present_unknown] || document[:sentence])]
      end
    end
  end
end
