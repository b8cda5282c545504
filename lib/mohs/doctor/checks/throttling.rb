# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Whether a control group's quota held us back: then the quota is measured, not the server.
      class Throttling < Base
        LABEL = "throttling"
        UNIT = "times"
        NEEDS = [:activity].freeze

        private

        def judge
          times = facts.activity[:throttled]
          return unknown("no control group of ours can be read") unless times
          return ok(0, "never held back by a CPU quota") if times.zero?

          bad(times, "a CPU quota held us back #{times} times",
              remedy: "raise or remove the quota (docker --cpus, a pod's CPU limit, CPUQuota=)")
        end
      end
    end
  end
end
