# frozen_string_literal: true

module Mohs
  module Compare
    # A comparison in which the application turns a JIT on for one side, and the other has none only
    # because nobody said anything about it: its answer would be about the JIT as much as about what
    # differs by name.
    class OneSidedJit
      # nil unless it is one. Variants that differ in nothing else are compared for that very JIT.
      #: ([Study::Notation, Study::Notation], [Study::Variant, Study::Variant]) -> Compare::OneSidedJit?
      def self.of(notations, variants)
        found = new(notations, variants)
        found if found.any?
      end

      #: ([Study::Notation, Study::Notation], [Study::Variant, Study::Variant]) -> void
      def initialize(notations, variants)
        @notations = notations
        @variants = variants
        @with = variants.index(&:jit_of_app)
        @without = variants.index { |one| one.app_jit && !one.own_jit && one.asked_jit.nil? }
      end

      #: () -> bool
      def any?
        !@with.nil? && !@without.nil? && @notations.none?(&:jit_words) &&
          @variants.reduce(:difference) != %w[own_jit]
      end

      # The two with the JIT of the application in both, as they are typed; nil if one has a secret.
      #: () -> Array[String]?
      def alike
        return if @notations.any?(&:secret?)

        @notations.map.with_index do |one, index|
          jit = Study::Notation::OWN_JIT if index == @without
          Study::Notation.new(**one.to_h, jit:).to_s
        end
      end

      # proposal: what was typed, if that is known and can be typed again.
      #: (Report::Proposal?) -> String
      def text(proposal)
        jit = @variants[@with].jit_of_app.upcase
        rest = @variants.map(&:ruby).uniq.one? ? "rest" : "Rubies"
        typed = proposal&.to(proposal.command, *alike) if alike
        with, without = [@with, @without].map { |index| %w[A B][index] }
        found = "#{with} has #{jit}, as the application turns it on, and #{without} has none."
        typed ? "#{found} To compare the #{rest} alone: #{typed.line}" : found
      end
    end
  end
end
