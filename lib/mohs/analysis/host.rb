# frozen_string_literal: true

module Mohs
  module Analysis
    # Checks of the host: what speaks against measuring here. Each is a pure decision over what
    # Doctor::HostFacts read, and a row of Rule::TABLE.
    #
    # facts, each nil if it could not be read:
    #   cpus         [Integer] that we may run on; places: { server:, driver: } of these
    #   spins        [FixedWorkSample], one a core, while all of them were busy
    #   activity     of the machine over a while: Doctor::Watch#call; pressure: just before, in %
    #   governors    [String], every one in use
    #   turbo        { path:, now:, on:, off: }: its switch, the current and the possible values
    #   siblings     { cpu of the driver => [cpu] that share its core, nil unknown }
    #   clock        the kernel's clock source
    #   real_time    { obstacle: text|nil, permitted:, runtime_us:, period_us: }
    #   quota_cores, free_bytes, group_free_bytes of our control group
    #   open_files   Integer or :unlimited
    #   ports        [low, high] for connections; server_ports: the range for servers
    #   time_wait    connections in that state
    module Host
      # Severities of a finding as the contract of docs/json.md writes them.
      LEVELS = { ok: "ok", unknown: "unknown", warn: "warn", bad: "bad" }.freeze

      # Two limits for a number: from `warn` on it is suspect (nil: never), beyond `bad` it costs
      # much. If `warn` is the larger of the two, smaller numbers are worse.
      Limits = Struct.new(:warn, :bad, keyword_init: true) do
        include Value

        #: (Numeric) -> Symbol
        def severity(value)
          worse = warn && warn > bad ? -1 : 1
          return :bad if value * worse > bad * worse

          warn && value * worse >= warn * worse ? :warn : :ok
        end
      end

      # Names of the checks in the order in which they are reported.
      #: () -> Array[String]
      def self.names = Rule::TABLE.keys

      #: (String) -> bool
      def self.known?(name) = Rule::TABLE.key?(name)

      # The check `name`, with its label, unit, words and remedies.
      #: (String) -> Analysis::Host::Rule
      def self.member(name) = Rule::TABLE.fetch(name)

      # Every check's finding.
      #: (Hash[Symbol, untyped]) -> Array[Analysis::Finding]
      def self.call(facts) = Rule::TABLE.values.map { |rule| rule.call(facts) }

      # The same without the checks that need a core for themselves.
      #: (Hash[Symbol, untyped]) -> Array[Analysis::Finding]
      def self.cheap(facts) = Rule::TABLE.values.reject(&:spins).map { |rule| rule.call(facts) }

      # The templates of a member, for Report::Render.
      #: (String) -> Hash[Symbol, String | Proc]
      def self.words(name) = { recorded: "%{detail}", **member(name).words }

      # A finding as a cohort keeps it: plain data.
      #: (Analysis::Finding) -> Hash[Symbol, untyped]
      def self.dump(finding)
        { name: finding.member, label: member(finding.member).label,
          level: LEVELS.fetch(finding.severity), code: finding.code, values: finding.values }
      end

      # The finding restored from such a row.
      #: (Hash[Symbol, untyped]) -> Analysis::Finding
      def self.load(row) = Finding.restore(row, LEVELS.key(row[:level]))
    end
  end
end
