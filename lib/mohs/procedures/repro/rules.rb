# frozen_string_literal: true

module Mohs
  module Repro
    # The rules of the rounds that reproduce a published study, and what of it is `published`
    # (Repro::Order#to_h).
    class Rules < Struct.new(:rounds, :budget_s, :published, keyword_init: true)
      include Mohs::Procedure::Rules
      include Value

      NAME = "repro"

      # Its key in a stored study.
      STORED = :published

      #: (Hash[Symbol, untyped]) -> Repro::Rules
      def self.stored(hash) = new(**hash.slice(*members))

      # The study.yml of the publication; nil in a forged run.
      #: () -> String?
      def file = (published[:file] if published.is_a?(Hash))

      #: (Study) -> Repro::Procedure
      def procedure(study) = Procedure.new(study)

      private

      def below = published
    end
  end
end
