# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # What decides how fast the cores run. All governors but `performance` follow the load, so the
      # first requests after a pause are slower than the next.
      class Governor < Base
        LABEL = "frequency"
        STEADY = "performance"

        WORDS = {
          steady: "governor %{value}",
          following: "governor %{value}",
          unknown: "no governor can be seen (a virtual machine has none)",
        }.freeze
        REMEDIES = {
          following: "sudo mohs doctor --fix (undo: sudo mohs doctor --undo)",
        }.freeze

        private

        def judge
          value = facts[:governors].join(", ")
          return unknown if value.empty?

          value == STEADY ? pass(:steady, value:) : warn(:following, value:)
        end
      end
    end
  end
end
