# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # The driver did not run although it should have: it was stopped (Ctrl-Z), its cgroup was
      # frozen or throttled, the machine stood still, or others held its core. Meanwhile it reads
      # nothing and sends nothing. The kernel counts only the last of these as waiting.
      class DriverStalls < Base
        SIZE = :longest_ns

        WORDS = {
          none: "it ran within %{longest_ns|ms} of when it should have",
          stood_still: "the driver stalled %{count|times}, for %{longest_ns|ms} at most and " \
                       "%{share|percent} of the time: stopped, frozen or without its core. " \
                       "Meanwhile it sent nothing",
        }.freeze

        private

        def needs = %i[slices threads]

        def judge
          return unknown(:unmeasured) if counted.empty?
          return unknown(:shared_core) if facts[:apart] == false

          longest_ns = counted.map { |pulse| pulse[:gap_max_ns] }.max
          return pass(:none, longest_ns:) if of_threads(:stalls).zero?

          share = of_threads(:stalled_ns).fdiv(total(:wall_ns) * facts[:threads])
          warn(:stood_still, count: of_threads(:stalls), longest_ns:, share:)
        end

        # Thread statistics of slices in which stalls were counted.
        def counted = thread_stats.select { |pulse| pulse[:gap_max_ns] }
      end
    end
  end
end
