# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Slices have the CPU time of the server's processes. A program that a request runs and waits
      # for, such as `git`, has ended when a slice is read: its time is in no slice.
      class Programs < Base
        # Share of the server's own CPU time: twice the smallest difference that matters.
        MUCH = 2 * Verdict::MARGIN

        WORDS = {
          few: "programs that it ran took %{share|percent} of its own CPU time",
          left_out: "programs that the server runs take %{mean_ns|ms} of CPU time a request, " \
                    "%{share|percent} of its own, which \"CPU a request\" doesn't include",
        }.freeze

        private

        def needs = %i[programs]

        def judge
          cpu_ns, own_ns, requests = facts[:programs].values_at(:cpu_ns, :own_ns, :requests)
          return unknown(:unmeasured) unless cpu_ns && own_ns&.positive? && requests.positive?

          share = cpu_ns.fdiv(own_ns)
          share <= MUCH ? pass(:few, share:) : warn(:left_out, share:, mean_ns: cpu_ns / requests)
        end
      end
    end
  end
end
