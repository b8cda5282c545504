# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # What decides how fast the cores run. All governors but `performance` follow the load, so the
      # first requests after a pause are slower than the next.
      class Governor < Base
        LABEL = "frequency"
        FILES = "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"
        STEADY = %w[performance].freeze

        private

        def judge
          found = reader.glob(FILES).filter_map { |path| reader.text(path) }.uniq
          return unknown("no governor to be seen (a virtual machine has none)") if found.empty?

          value = found.join(", ")
          return ok(value, "governor #{value}") if (found - STEADY).empty?

          warn(value, "governor #{value}",
               remedy: "sudo mohs doctor --fix (undo: sudo mohs doctor --undo)")
        end
      end
    end
  end
end
