# frozen_string_literal: true

module Mohs
  module Repro
    # A claim's levels by the names of the variants that ran in their place, so that a reader sees
    # what was measured: 3.3.8 --yjit, not the 3.2.2 --yjit of the source. Findings keep the names
    # of levels for programs.
    class Names
      # Values of findings that are levels.
      LEVELS = %i[of rival rivals since variant variants].freeze

      # levels: as in docs/json.md, claims[].levels.
      #: (Array[Hash[Symbol, untyped]]?) -> void
      def initialize(levels)
        @variants = levels.to_a.to_h { |one| one.values_at(:level, :variant) }
      end

      # One level, or several. One that nothing ran for keeps its name.
      #: (untyped) -> untyped
      def of(level)
        level.is_a?(Array) ? level.map { |one| of(one) } : @variants.fetch(level, level)
      end

      # The finding with these names.
      #: (Analysis::Finding) -> Analysis::Finding
      def finding(finding)
        named = finding.values.slice(*LEVELS).transform_values { |level| of(level) }
        Analysis::Finding.new(**finding.to_h, values: { **finding.values, **named })
      end
    end
  end
end
