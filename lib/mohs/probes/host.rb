# frozen_string_literal: true


module Mohs
  module Probes
    # What kind of machine this is: recorded with every run, since figures of two machines must not
    # be compared.
    module Host
      CLOCK = "devices/system/clocksource/clocksource0/current_clocksource"

      module_function

      #: (?proc: String, ?sys: String) -> Hash[Symbol, untyped]
      def fingerprint(proc: "/proc", sys: "/sys")
        {
          cpu: read("#{proc}/cpuinfo")[/^model name\s*:\s*(.+)/, 1],
          cores: Process::CpuSet.available.size,
          memory_bytes: read("#{proc}/meminfo")[/^MemTotal:\s*(\d+)/, 1].to_i * 1024,
          kernel: read("#{proc}/sys/kernel/osrelease").strip,
          virtual: read("#{proc}/cpuinfo").match?(/^flags\s*:.*\bhypervisor\b/),
          governor: presence(read("#{sys}/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip),
          clock_source: presence(read("#{sys}/#{CLOCK}").strip),
        }.compact
      end

      def read(path)
        File.read(path)
      rescue SystemCallError
        ""
      end

      def presence(text) = text.empty? ? nil : text

      private_class_method :read, :presence
    end
  end
end
