# frozen_string_literal: true

module Mohs
  module Rounds
    # Rounds of all variants: how many `rounds`, and `budget_s`, how long they may take (nil: mohs
    # chooses); `until_decided`: whether they end as soon as every difference is decided.
    class Rules < Struct.new(:rounds, :budget_s, :until_decided, keyword_init: true)
      include Mohs::Procedure::Rules
      include Value

      NAME = "rounds"

      # Whoever names a number of rounds wants these, and recordings are wanted of every round.
      EVERY = %i[rounds cold_start profile].freeze
      private_constant :EVERY

      #: (Hash[Symbol, untyped], variants: Array[Study::Variant], baseline: String) -> Rounds::Rules
      def self.declared(declaration, **)
        new(**super.to_h, until_decided: declaration.values_at(*EVERY).none?)
      end

      #: () -> String
      def self.streaming = "run"

      #: (Hash[Symbol, untyped]) -> nil
      def self.streamless(_declaration) = nil

      #: () -> Array[Symbol]
      def self.shared = [*super, :until_decided]

      #: (Study) -> Rounds::Procedure
      def procedure(study) = Procedure.new(study)
    end
  end
end
