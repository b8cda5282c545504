# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Share of its time that a thread which only spins was kept off its core for longer than
      # 20 us, on the worst core. Seen: 0.2 to 1.4 % on a quiet host, 5 to 55 %
      # on a busy one.
      class Gaps < Base
        LABEL = "gaps"
        UNIT = SHARE
        NEEDS = [:spins].freeze
        LIMITS = { warn: 0.02, bad: 0.10 }.freeze

        private

        def judge
          spin = worst(&:away_share)
          longest = format("%.1f", spin.longest_ns / 1e6)
          graded(spin.away_share, "CPU #{spin.cpu} was gone #{percent(spin.away_share)} of the " \
                                  "time, #{longest} ms at the longest",
                 remedy: "close what else runs here; on a virtual host, ask for cores of your own")
        end
      end
    end
  end
end
