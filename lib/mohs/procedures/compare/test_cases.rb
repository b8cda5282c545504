# frozen_string_literal: true

module Mohs
  module Compare
    # The test cases of a comparison: its verdict, and each gate.
    module TestCases
      KIND = View::KIND
      GATES = { "fails" => :failure, "inconclusive" => :skipped }.freeze

      #: (Hash[Symbol, untyped]) -> Array[Exporters::TestCase]
      def self.of(document)
        [verdict(document), *document[:gates].map { |gate| gate(gate, gate[:gate]) }]
      end

      # A gate, as a document has it.
      #: (Hash[Symbol, untyped], String) -> Exporters::TestCase
      def self.gate(gate, name)
        Exporters::TestCase.new(group: "gate", name:, result: GATES[gate[:outcome]],
                                type: gate[:outcome], message: gate[:reason],
                                output: gate[:reason])
      end

      # A comparison without a verdict is a failure, as in its exit status.
      def self.verdict(document)
        invalid = Document.invalid?(document)
        Exporters::TestCase.new(group: "verdict", name: "#{document[:b]} against #{document[:a]}",
                                result: (:failure if invalid), type: "invalid",
                                message: document[:sentence], output: document[:sentence])
      end
      private_class_method :verdict
    end
  end
end
