# frozen_string_literal: true

module Mohs
  class Store
    # One execution of a study, as it is stored: `key` what people type ("7c1a"), `state` planned,
    # running, finished, interrupted or failed, `study` a Study, `plan` a Plan, `fingerprint` of the
    # host, `provenance` { seed:, argv:, versions: }, `cohorts` [Store::Cohort] where Store#result
    # gave it, else none.
    class Run < Struct.new(:id, :key, :state, :app, :created_ms, :finished_ms, :study, :plan,
                           :fingerprint, :provenance, :cohorts, keyword_init: true)
      include Record
      extend Record::Members

      EMPTY = { fingerprint: {}.freeze, provenance: {}.freeze, cohorts: [].freeze }.freeze

      #: (Hash[Symbol, untyped], **untyped) -> Store::Run
      def self.of(row, **others)
        super(row, study: Study.from_h(row[:study]), plan: Plan.from_h(row[:plan]), **others)
      end

      #: () -> bool
      def running? = state == "running"

      # From its start to its end; nil while it is under way.
      #: () -> Float?
      def seconds = finished_ms && ((finished_ms - created_ms) / 1000.0)

      # Of all cohorts.
      #: () -> Array[Store::Trial]
      def trials = cohorts.flat_map(&:trials)
    end
  end
end
