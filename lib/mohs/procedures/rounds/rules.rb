# frozen_string_literal: true

module Mohs
  module Rounds
    # Rounds of all variants need no rules besides the study's rounds and budget.
    class Rules
      #: (Study) -> Rounds::Procedure
      def procedure(study) = Procedure.new(study)

      # As stored in a study.
      #: () -> Hash[Symbol, untyped]
      def to_study = {}
      alias to_document to_study

      #: (untyped) -> bool
      def ==(other) = other.instance_of?(self.class)
      alias eql? ==

      #: () -> Integer
      def hash = self.class.hash
    end
  end
end
