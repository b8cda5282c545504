# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # CPU time that the hypervisor gave to other guests. 0 does not mean quiet: many report none.
      class Steal < Base
        LABEL = "steal"
        UNIT = SHARE
        NEEDS = [:activity].freeze
        LIMITS = { warn: 0.01, bad: 0.05 }.freeze

        private

        def judge
          share = facts.activity[:steal_share]
          return unknown("/proc/stat can't be read") unless share

          graded(share, "the hypervisor took #{percent(share)} of the CPU",
                 remedy: "ask for a host with cores of its own")
        end
      end
    end
  end
end
