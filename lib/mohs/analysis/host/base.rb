# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # A check of the host: an Analysis::Check that takes more than a number and limits. Its
      # findings have a :value, a number in its unit or a word. It has as constants LABEL, what it
      # is called on screen; UNIT of its value (nil: a word); REMEDIES, what helps in those cases
      # that speak against the host; SPINS, if it needs a core for itself.
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
      class Base < Check
        UNIT = nil
        REMEDIES = {}.freeze
        SPINS = false

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

        private

        # Of a number that is held against limits.
        def measured(limits, kind, value, **values)
          finding(limits.severity(value), kind, { value:, **values })
        end
      end
    end
  end
end
