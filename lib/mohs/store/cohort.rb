# frozen_string_literal: true

module Mohs
  class Store
    # Trials alive together: `spec` its Plan::CohortSpec, `state` queued, running, done or failed,
    # `host` what was noticed of the host meanwhile, `trials` [Store::Trial] where Store#result gave
    # it.
    class Cohort < Struct.new(:id, :run_id, :position, :round, :state, :token, :heartbeat_ms,
                              :started_ms, :finished_ms, :spec, :host, :trials,
                              keyword_init: true)
      include Record
      extend Record::Members

      EMPTY = { host: {}.freeze, trials: [].freeze }.freeze

      #: (Hash[Symbol, untyped], **untyped) -> Store::Cohort
      def self.of(row, **others) = super(row, spec: Plan::CohortSpec.new(**row[:spec]), **others)

      #: () -> bool
      def queued? = state == "queued"

      #: () -> bool
      def running? = state == "running"

      #: () -> bool
      def done? = state == "done"

      # Of a comparison: is it the one in which each is measured alone, to be held against the
      # others?
      #: () -> bool
      def solo? = spec.scheme == Plan::Scheme::SOLO

      # Shares of CPU time and the like, by name.
      #: () -> Hash[Symbol, Numeric]
      def noise = host.select { |_, value| value.is_a?(Numeric) }

      # What spoke against the host (Doctor.record); nil where nobody looked.
      #: () -> Array[Hash[Symbol, untyped]]?
      def against = host[:against]

      # Had the driver a core of its own? nil: not recorded.
      #: () -> bool?
      def apart = host[:apart]

      # What became of the shield (Process::Shield#to_h); nil where none was asked for.
      #: () -> Hash[Symbol, untyped]?
      def shield = host[:shield]
    end
  end
end
