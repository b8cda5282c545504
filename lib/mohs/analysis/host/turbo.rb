# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # Turbo makes the cores as fast as heat and the neighbours allow: faster on the whole, but
      # never the same for long.
      class Turbo < Base
        LABEL = "turbo"

        WORDS = {
          off: "turbo off",
          on: "turbo on: speed depends on heat and neighbours",
          unknown: "no switch for it can be seen",
        }.freeze
        REMEDIES = { on: "echo %{off} | sudo tee %{path} (on again: echo %{on})" }.freeze

        private

        def judge
          switch = facts[:turbo] or return unknown
          return pass(:off, value: "off") unless switch[:now] == switch[:on]

          warn(:on, value: "on", **switch.slice(:path, :on, :off))
        end
      end
    end
  end
end
