# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # A check of the host that takes more than a number and limits. It answers #call(facts) with a
      # Finding whose code is "its_name.case" and whose value :value is a number in its unit or a
      # word. It implements #judge by ending in `finding`, `ok`, `warn`, `bad` or `unknown` with the
      # case and its values, and has as constants: LABEL, what it is called on screen; UNIT of its
      # value (nil: a word); WORDS, the template of each case (Report::Phrase); REMEDIES, what helps
      # in those cases that speak against the host; SPINS, if it needs a core for itself. A case
      # that was released keeps its template: findings are stored, and put into words when shown.
      #
      # facts, as Doctor::Facts reads them, nil what could not be read:
      #   cpus         [Integer] that we may run on; places: { server:, driver: } of these
      #   spins        [Spin], one a core, while all of them were busy
      #   activity     of the machine over a while: Doctor::Watch#call; pressure: just before, in %
      #   governors    [String], every one in use
      #   turbo        { path:, now:, on:, off: }: its switch, what is in there, and what may be
      #   siblings     { cpu of the driver => [cpu] that share its core, nil unknown }
      #   clock        the kernel's clock source
      #   real_time    { obstacle: text|nil, permitted:, runtime_us:, period_us: }
      #   quota_cores, free_bytes, group_free_bytes of our control group
      #   open_files   Integer or :unlimited
      #   ports        [low, high] for connections; server_ports: those for servers
      #   time_wait    connections in that state
      class Base
        UNIT = nil
        REMEDIES = {}.freeze
        SPINS = false

        # Its name in documents: that of its file.
        #: () -> String
        def name
          self.class.name.split("::").last.gsub(/(?<=[a-z])[A-Z]/) { |one| "_#{one}" }.downcase
        end

        #: () -> String
        def label = self.class::LABEL

        #: () -> String?
        def unit = self.class::UNIT

        #: () -> Hash[Symbol, String | Proc]
        def words = self.class::WORDS

        #: () -> Hash[Symbol, String | Proc]
        def remedies = self.class::REMEDIES

        #: () -> bool
        def spins? = self.class::SPINS

        #: (Hash[Symbol, untyped]) -> Analysis::Finding
        def call(facts)
          @facts = facts
          judge
        end

        private

        attr_reader :facts

        def judge = raise(NotImplementedError, "#{self.class}#judge")

        def ok(kind, value, **values) = finding(:ok, kind, value, **values)

        def warn(kind, value, **values) = finding(:warn, kind, value, **values)

        def bad(kind, value, **values) = finding(:bad, kind, value, **values)

        def unknown = finding(:unknown, :unknown, nil)

        def finding(severity, kind, value, **values)
          Finding.new(code: "#{name}.#{kind}", severity:, values: { value:, **values })
        end
      end
    end
  end
end
