# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Turbo makes the cores as fast as heat and the neighbours allow: faster on the whole, but
      # never the same for long.
      class Turbo < Base
        LABEL = "turbo"
        # What is in the file when turbo is on, and the command that turns it off.
        SWITCHES = {
          "sys/devices/system/cpu/intel_pstate/no_turbo" => [0, 1],
          "sys/devices/system/cpu/cpufreq/boost" => [1, 0],
        }.freeze

        private

        def judge
          path, (on, off) = SWITCHES.find { |file, _| reader.number(file) }
          return unknown("no switch for it to be seen") unless path
          return ok("off", "turbo off") unless reader.number(path) == on

          warn("on", "turbo on: speed follows heat and neighbours",
               remedy: "echo #{off} | sudo tee /#{path} (on again: echo #{on})")
        end
      end
    end
  end
end
