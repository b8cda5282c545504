# frozen_string_literal: true

module Mohs
  module Analysis
    # Checks of the host: what speaks against measuring here. A family of pure decisions over what
    # Doctor::Facts read: those that hold a number against limits are rows of Threshold::TABLE,
    # those that take more have a file each (host/base.rb).
    module Host
      extend Family
      family "check of the host", folder: File.join(__dir__, "host"), list: "docs/doctor.md"

      # Noise first, then the machine.
      ORDER = %w[gaps own_cpu speed correlation steal other_processes throttling swap pressure
                 governor turbo siblings clock real_time cores memory files ports time_wait].freeze

      # As the contract of docs/json.md writes a finding's severity.
      LEVELS = { ok: "ok", unknown: "unknown", warn: "warn", bad: "bad" }.freeze

      # In the order in which they are reported.
      #: () -> Array[String]
      def self.names
        @in_order ||= (super + Threshold::TABLE.keys)
                      .sort_by { |name| [ORDER.index(name) || ORDER.size, name] }.freeze
      end

      # What decides `name`, and knows its label, unit, words and remedies.
      #: (String) -> (Analysis::Threshold | Analysis::Host::Base)
      def self.member(name) = Threshold::TABLE.fetch(name) { fetch(name).new }

      # Every check's finding.
      #: (Hash[Symbol, untyped]) -> Array[Analysis::Finding]
      def self.call(facts) = names.map { |name| member(name).call(facts) }

      # The same without those that need a core for themselves.
      #: (Hash[Symbol, untyped]) -> Array[Analysis::Finding]
      def self.cheap(facts)
        names.map { |name| member(name) }.reject(&:spins?).map { |check| check.call(facts) }
      end

      # The templates of a member, for Report::Phrase.
      #: (String) -> Hash[Symbol, String | Proc]
      def self.words(name) = { recorded: "%{detail}", **member(name).words }

      # What speaks against the host, as a cohort keeps it: plain data.
      #: (Analysis::Finding) -> Hash[Symbol, untyped]
      def self.dump(finding)
        { name: finding.member, label: member(finding.member).label,
          level: LEVELS.fetch(finding.severity), code: finding.code, values: finding.values }
      end

      # The finding of such a row.
      #: (Hash[Symbol, untyped]) -> Analysis::Finding
      def self.load(row) = Finding.restore(row, LEVELS.key(row[:level]))
    end
  end
end
