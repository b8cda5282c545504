# frozen_string_literal: true

module Mohs
  # The order of a run: rounds of cohorts, drawn by a seed, so that the same study and seed give the
  # same plan. Plain frozen data (to_h, from_h). `estimate_s` is told before the start; `dropped` [{
  # name:, why: }] is what the budget cost: variants, and rounds ("2 of 3 rounds").
  class Plan < Struct.new(:seed, :rounds, :cohorts, :estimate_s, :dropped, keyword_init: true)
    include Value

    #: (Study, seed: Integer, ?costs: Plan::Costs) -> Plan
    def self.build(study, seed:, costs: Costs.new)
      (study.comparison ? Pairs : Builder).new(study, seed:, costs:).call
    end

    # Of parsed JSON with symbol keys, as the store gives it back.
    #: (Hash[Symbol, untyped]) -> Plan
    def self.from_h(hash)
      new(**hash, cohorts: hash.fetch(:cohorts).map { |cohort| CohortSpec.new(**cohort) })
    end

    # A plain hash, ready for JSON: the orders of blocks are left to their seeds.
    #: () ?{ (Symbol, untyped) -> [Symbol, untyped] } -> Hash[Symbol, untyped]
    def to_h = super.merge(cohorts: cohorts.map(&:to_h))

    # With every order, for who reads it and draws nothing.
    #: () -> Hash[Symbol, untyped]
    def document = to_h.merge(cohorts: cohorts.map(&:document))

    # Names of all variants that the plan holds.
    #: () -> Array[String]
    def variants = cohorts.flat_map(&:variants).uniq
  end
end
