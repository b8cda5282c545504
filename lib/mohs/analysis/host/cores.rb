# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # Cores that we may use: with one, driver and server take it from each other; a quota below
      # their number stops us in the middle of things.
      class Cores < Base
        LABEL = "cores"
        UNIT = "cores"

        WORDS = {
          several: "%{value|count} cores",
          one: "one core: driver and server share it",
          quota: "a quota of %{value|short} cores' time on %{cores|count} cores",
        }.freeze
        REMEDIES = {
          one: "allow mohs two cores or more (taskset, docker --cpuset-cpus)",
          quota: "give whole cores instead (docker --cpuset-cpus instead of --cpus)",
        }.freeze

        private

        def judge
          cores = facts[:cpus].size
          quota = facts[:quota_cores]
          return warn(:quota, value: quota, cores:) if quota && quota < cores

          cores > 1 ? pass(:several, value: cores) : warn(:one, value: cores)
        end
      end
    end
  end
end
