# frozen_string_literal: true

module Mohs
  module Rounds
    # Rounds of all variants: how many `rounds`, and `budget_s`, how long they may take (nil: mohs
    # chooses).
    class Rules < Struct.new(:rounds, :budget_s, keyword_init: true)
      include Mohs::Procedure::Rules
      include Value

      NAME = "rounds"

      #: (Study) -> Rounds::Procedure
      def procedure(study) = Procedure.new(study)
    end
  end
end
