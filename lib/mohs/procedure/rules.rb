# frozen_string_literal: true

module Mohs
  class Procedure
    # What the rules of every procedure have in common: a Struct includes this module. A class has
    # its NAME, that of the procedure's folder, and, unless it is what is measured if nothing else
    # is declared, STORED: the key of a declaration and of a stored study that tells its studies
    # from others. Members in SHARED stand beside that key, the others below it.
    module Rules
      # `rounds`: how many, `budget_s`: how long a run may take (nil: mohs chooses).
      SHARED = %i[rounds budget_s].freeze

      # What the rules say before there are any: extends their class.
      module Declared
        # Why a variant can't have a rate of its own under these rules; nil: it can.
        #: (Hash[Symbol, untyped]) -> String?
        def unrated(_declaration) = nil

        # The command whose rules measure streams (Study::Streams); nil: these don't.
        #: () -> String?
        def streaming = nil

        # The command that compares two variants, which are its arguments; nil: not these rules'.
        #: () -> String?
        def comparing = nil

        # Why streams can't be measured under these rules; nil: they can.
        #: (Hash[Symbol, untyped]) -> String?
        def streamless(_declaration)
          commands = Procedure.parts("rules").filter_map(&:streaming)
          "#{Wording.all(commands.map { |name| "mohs #{name}" })} measure them"
        end

        # The rules that a declaration asks for. Called when its variants are known.
        #: (Hash[Symbol, untyped], variants: Array[Study::Variant], baseline: String) -> Procedure::Rules
        def declared(declaration, **) = stored(declaration)

        # The rules in a stored study.
        #: (Hash[Symbol, untyped]) -> Procedure::Rules
        def stored(hash)
          own = const_defined?(:STORED) ? hash.fetch(self::STORED) : {}
          new(**own, **hash.slice(*shared))
        end

        # Raises UsageError if these variants are not what the procedure measures. notations: what
        # each was written as. resolver: that made the variants of them.
        #: (Array[Study::Variant], notations: Array[Study::Notation], resolver: Study::Resolver, declaration: Hash[Symbol, untyped]) -> void
        def verify(_variants, **); end

        # The keys that its rules have in a stored study.
        #: () -> Array[Symbol]
        def keys = [*shared, *(self::STORED if const_defined?(:STORED))]

        # Those of its members that several procedures have.
        #: () -> Array[Symbol]
        def shared = SHARED & members
      end

      #: (Class) -> void
      def self.included(rules) = rules.extend(Declared)

      # As stored in a study.
      #: () -> Hash[Symbol, untyped]
      def to_study
        own = self.class.const_defined?(:STORED) ? { self.class::STORED => below } : {}
        { **to_h.slice(*self.class.shared), **own }
      end

      # The same with texts where people read it (--dry-run).
      #: () -> Hash[Symbol, untyped]
      def to_document = to_study

      # A copy with another budget.
      #: (Numeric?) -> Procedure::Rules
      def within(budget_s) = self.class.new(**to_h, budget_s:)

      private

      def below = to_h.except(*self.class.shared)
    end
  end
end
