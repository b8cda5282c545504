# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # CPU time that went to processes other than mohs and what it started, and to which.
      class OtherProcesses < Base
        LABEL = "other processes"
        UNIT = SHARE
        NEEDS = [:activity].freeze
        LIMITS = { warn: 0.05, bad: 0.25 }.freeze
        NAMED = 3

        private

        def judge
          share = facts.activity[:foreign_cpu_share]
          return unknown("/proc/stat can't be read") unless share

          graded(share, "#{percent(share)} of the CPU#{names}", remedy: "close them")
        end

        def names
          named = facts.activity[:processes].first(NAMED)
                       .map { |process| "#{process[:name]} #{percent(process[:share])}" }
          named.any? ? ": #{named.join(', ')}" : ""
        end
      end
    end
  end
end
