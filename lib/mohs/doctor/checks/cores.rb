# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Cores that we may use: with one, driver and server take it from each other; a quota below
      # their number stops us in the middle of things.
      class Cores < Base
        LABEL = "cores"
        UNIT = "cores"

        private

        def judge
          count = facts.cpus.size
          quota = Cgroup.new(reader).quota_cores
          return limited(count, quota) if quota && quota < count
          return ok(count, "#{count} cores") if count > 1

          warn(count, "one core: driver and server share it",
               remedy: "allow mohs two cores or more (taskset, docker --cpuset-cpus)")
        end

        def limited(count, quota)
          warn(quota, "a quota of #{format('%.2g', quota)} cores' time on #{count} cores",
               remedy: "give whole cores instead (docker --cpuset-cpus instead of --cpus)")
        end
      end
    end
  end
end
