# frozen_string_literal: true

module Mohs
  module Gate
    # The test cases of a gating: each gate.
    module TestCases
      KIND = View::KIND

      #: (Hash[Symbol, untyped]) -> Array[Exporters::TestCase]
      def self.of(document)
        document[:gates].map do |gate|
          Compare::TestCases.gate(gate, "#{gate[:name]}: #{gate[:title]} #{gate[:limit]}")
        end
      end
    end
  end
end
