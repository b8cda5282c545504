# frozen_string_literal: true

module Mohs
  class Store
    # One life of a server. `state` started, measured, refused, failed, invalid or lost, with its
    # `reason` and `log_tail`; `boot_ns` to its first right answer. The facts of one that came to
    # serve: `attested` (Probes::Attestation), `memory` { at_end: { rss_bytes:, .. }, ..,
    # peak_rss_bytes: }, `checks` (Checks.call), `latency` { count:, p50_ns:, .., max_ns: },
    # `connections` { asked:, opened:, lost:, served: }, `answers` [App::Answer], `notes` [String],
    # `cores` that it had, `worker` the number of the driver's thread that loaded it, `warm_up`,
    # `versions`; each nil or empty where it was not recorded. `slices` [Store::Slice].
    class Trial < Struct.new(:id, :cohort_id, :ordinal, :variant, :state, :reason, :log_tail,
                             :log_path, :started_ms, :boot_ns, :requests, :attested, :memory,
                             :checks, :latency, :connections, :answers, :notes, :cores, :worker,
                             :warm_up, :specimen, :versions, :slices, keyword_init: true)
      include Record
      extend Record::Members

      # States after which a variant is not tried again in its run.
      OUT_OF_RACE = %w[refused invalid].freeze

      EMPTY = { attested: {}.freeze, memory: {}.freeze, connections: {}.freeze, checks: [].freeze,
                notes: [].freeze, slices: [].freeze }.freeze

      #: (Hash[Symbol, untyped], **untyped) -> Store::Trial
      def self.of(row, **others)
        answers = row.dig(:facts, :answers)&.map do |answer|
          App::Answer.new(**answer.slice(*App::Answer.members), kind: answer[:kind]&.to_sym)
        end
        super(row, answers:, **others)
      end

      #: () -> bool
      def measured? = state == "measured"

      # Did mohs itself end it, or a partner that failed?
      #: () -> bool
      def lost? = state == "lost"

      # Would it end like this again?
      #: () -> bool
      def out_of_race? = OUT_OF_RACE.include?(state)

      # The slices that figures are made of: those of a block. What was served to warm the server
      # up, or to bring servers level, is of none.
      #: () -> Array[Store::Slice]
      def measured_slices = slices.select(&:block)
    end
  end
end
