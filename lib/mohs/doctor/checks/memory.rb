# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Memory that is left for servers, on the machine or under our control group's limit. A cohort
      # has up to four servers alive at once; a Rails process has 100 to 300 MB, a JVM more.
      class Memory < Base
        LABEL = "memory"
        UNIT = "bytes"
        LIMITS = { warn: 2 * (2**30), bad: 2**29 }.freeze

        private

        def judge
          free = reader.field("proc/meminfo", "MemAvailable")
          return unknown("/proc/meminfo can't be read") unless free

          left = [free * 1024, Cgroup.new(reader).memory_left_bytes].compact.min
          graded(left, "#{format('%.1f', left.fdiv(2**30))} GB left",
                 remedy: "close what else runs here, or compare fewer variants at once")
        end
      end
    end
  end
end
