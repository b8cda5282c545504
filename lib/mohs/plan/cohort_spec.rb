# frozen_string_literal: true

module Mohs
  class Plan
    # Trials alive together. `position` counts through the whole run from 0, `round` from 1;
    # `variants` are names in boot order, `baseline` one of them (nil in the cohort of those refused
    # before the start); `scheme` where they run and which are loaded together (Cohort::Layout);
    # `seed` what the orders of its blocks are drawn from (nil: it has none).
    class CohortSpec < Struct.new(:round, :position, :baseline, :variants, :blocks, :estimate_s,
                                  :scheme, :seed, keyword_init: true)
      # The most blocks that Cohort::Schedule runs.
      BLOCKS = 30

      #: (?round: Integer?, ?position: Integer?, ?baseline: String?, ?variants: Array[String], ?estimate_s: Numeric?, ?blocks: Array[Array[String]]?, ?scheme: String, ?seed: Integer?) -> void
      def initialize(**values)
        super(scheme: "rounds", **values)
        freeze
      end

      # Random orders of the variants, each of which Cohort::Schedule runs with its mirror, as many
      # as the slices' length allows. Drawn anew whenever they are asked for; the stores of older
      # runs have them written down.
      #: () -> Array[Array[String]]
      def blocks = super || drawn

      # What is stored: all that can't be drawn again.
      #: () ?{ (Symbol, untyped) -> [Symbol, untyped] } -> Hash[Symbol, untyped]
      def to_h = super.reject { |key, value| key == :blocks && value.nil? }

      # With the blocks in place of what they are drawn from.
      #: () -> Hash[Symbol, untyped]
      def document = { **to_h.except(:seed), blocks: }

      # The same, compared with another: one that stands in for a baseline which does not run, next
      # to it in every order where it isn't there already.
      #: (String) -> Plan::CohortSpec
      def against(name)
        return self.class.new(**to_h, baseline: name) if variants.include?(name)

        joined = [variants, *blocks].map do |names|
          names.flat_map { |one| one == baseline ? [one, name] : one }
        end
        self.class.new(**to_h, baseline: name, variants: joined.first, blocks: joined.drop(1))
      end

      private

      def drawn
        return [] unless seed

        random = Random.new(seed)
        Array.new(BLOCKS) { variants.shuffle(random:) }
      end
    end
  end
end
