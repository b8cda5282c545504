# frozen_string_literal: true

module Mohs
  module Analysis
    # Self-checks: what speaks against the figures of one trial or load. A family of pure decisions
    # over its facts, whose shape checks/base.rb describes.
    module Checks
      extend Family
      family "check", folder: File.join(__dir__, "checks"), list: "docs/method.md"

      # Severities of a finding as the store and the contract of docs/json.md write them.
      LEVELS = { ok: "ok", unknown: "ok", warn: "warn", bad: "invalid" }.freeze
      OK = { ok: true, unknown: nil, warn: false, bad: false }.freeze

      # What is true of requests that follow each other, not of streams.
      OF_REQUESTS = %w[headroom little_law stalls trend].freeze

      # Every check's finding, in alphabetical order. streams: of a load with streams.
      #: (Hash[Symbol, untyped], ?streams: bool) -> Array[Analysis::Finding]
      def self.call(facts, streams: false)
        asked = streams ? names - OF_REQUESTS : names
        asked.map { |name| fetch(name).new.call(facts) }
      end

      # The result of a load without slices, as the only slice of a measurement: all of it counts.
      #: (Load::StepResult | Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def self.slice(result) = { **result.to_h, block: 0 }

      # The finding because of which a trial's figures mean nothing (its state is then invalid), or
      # nil.
      #: (Array[Analysis::Finding]) -> Analysis::Finding?
      def self.spoiled(findings) = findings.find(&:fatal?)

      # A finding if the driver itself spoiled a probe in a search for a rate; else nil.
      #: (Load::StepResult, limit: Load::Limit, threads: Integer) -> Analysis::Finding?
      def self.of_probe(result, limit:, threads:)
        share = DriverShare.new.call({ slices: [slice(result)], threads: })
        share.fatal? ? share : SendLag.new.of_probe(result.lag_ns, limit)
      end

      # Of two findings of one check that failed, the one with the larger size is worse; 0 if
      # unknown.
      #: (Analysis::Finding) -> Numeric
      def self.size(finding) = fetch(finding.member).size(finding.values)

      # The templates of a member, for Report::Render.
      #: (String) -> Hash[Symbol, String | Proc]
      def self.words(name) = Base::WORDS.merge(fetch(name)::WORDS)

      # The findings of a stored trial.
      #: (Store::Trial) -> Array[Analysis::Finding]
      def self.of(trial) = trial.checks.map { |row| load(row) }

      # A finding as plain data, in the form that a trial's facts keep.
      #: (Analysis::Finding) -> Hash[Symbol, untyped]
      def self.dump(finding)
        { name: finding.member, ok: OK.fetch(finding.severity),
          level: LEVELS.fetch(finding.severity), code: finding.code, values: finding.values }
      end

      # The finding restored from such a row; of a check that found something else when it was
      # stored, only what it was called.
      #: (Hash[Symbol, untyped]) -> Analysis::Finding
      def self.load(row)
        gone = row[:code] && !words(row[:name]).key?(row[:code].split(".").last.to_sym)
        row = { **row, code: nil, detail: row[:code] } if gone
        Finding.restore(row, row[:ok].nil? ? :unknown : LEVELS.key(row[:level]))
      end
    end
  end
end
