# frozen_string_literal: true

module Mohs
  class Plan
    # Trials alive together. `position` counts through the whole run from 0, `round` from 1;
    # `variants` are names in boot order, `baseline` one of them (nil in the cohort of those refused
    # before the start); `blocks` are random orders of the variants, each of which Cohort::Schedule
    # runs with its mirror, as many as the slices' length allows; `scheme` where they run and which
    # are loaded together (Cohort::Layout).
    class CohortSpec < Struct.new(:round, :position, :baseline, :variants, :blocks, :estimate_s,
                                  :scheme, keyword_init: true)
      #: (**untyped) -> void
      def initialize(**values)
        super(scheme: "rounds", **values)
        freeze
      end

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
    end
  end
end
