# frozen_string_literal: true

module Mohs
  module Doctor
    # Reads the facts that Analysis::Host judges; analysis/host.rb describes each.
    class HostFacts
      GOVERNORS = "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"
      PORTS = "proc/sys/net/ipv4/ip_local_port_range"
      # The content of a turbo switch's file when it is on, and when it is off.
      TURBO = {
        "sys/devices/system/cpu/intel_pstate/no_turbo" => [0, 1],
        "sys/devices/system/cpu/cpufreq/boost" => [1, 0],
      }.freeze
      # Bit in a process's set of capabilities (capabilities(7)).
      CAP_SYS_NICE = 23

      #: (Doctor::Reader) -> void
      def initialize(reader)
        @reader = reader
      end

      # observed: `activity`, `pressure` and `spins`, if they were measured.
      #: (cpus: Array[Integer], **untyped) -> Hash[Symbol, untyped]
      def call(cpus:, **observed)
        places = Process::CpuSet.plan(cpus)
        { cpus:, places:, governors:, turbo:, siblings: siblings(places[:driver]),
          clock: @reader.text("sys/#{Probes::Host::CLOCK}"), real_time:, open_files:, time_wait:,
          quota_cores: cgroup.quota_cores, group_free_bytes: cgroup.memory_left_bytes,
          free_bytes: @reader.field("proc/meminfo", "MemAvailable")&.*(1024),
          **ports, **observed }
      end

      # The facts of the check `ports`.
      #: () -> Hash[Symbol, untyped]
      def ports
        range = @reader.text(PORTS)&.split&.map(&:to_i)
        { ports: range, server_ports: Process::Port::RANGE }
      end

      private

      def cgroup = Cgroup.new(@reader)

      def governors = @reader.glob(GOVERNORS).filter_map { |path| @reader.text(path) }.uniq

      def turbo
        path, (on, off) = TURBO.find { |file, _| @reader.number(file) }
        path && { path: "/#{path}", now: @reader.number(path), on:, off: }
      end

      def siblings(cpus)
        cpus.to_h do |cpu|
          [cpu, list("sys/devices/system/cpu/cpu#{cpu}/topology/thread_siblings_list")]
        end
      end

      # "0-1,4" as numbers.
      def list(path)
        @reader.text(path)&.split(",")&.flat_map do |range|
          first, last = range.split("-").map(&:to_i)
          (first..(last || first)).to_a
        end
      end

      def real_time
        return unless @reader.number("proc/sys/kernel/sched_rt_runtime_us")

        grants = Process::RealTime.grants { |path| @reader.text(path) }
        { obstacle: Process::RealTime.obstacle(**grants), permitted: permitted?,
          **grants.slice(:runtime_us, :period_us) }
      end

      # May we use the server's real-time priority and, above it, the watchdog's? True if unknown.
      def permitted?
        set = @reader.text("proc/self/status")&.slice(/^CapEff:\s+(\h+)/, 1) or return true
        most = @reader.text("proc/self/limits")&.slice(/^Max realtime priority +(\d+)/, 1)
        set.hex[CAP_SYS_NICE] == 1 || most.to_i > Process::Shield::PRIORITY
      end

      def open_files
        limit = @reader.text("proc/self/limits")&.slice(/^Max open files\s+(\w+)/, 1) or return
        limit == "unlimited" ? :unlimited : limit.to_i
      end

      def time_wait = @reader.text("proc/net/sockstat")&.slice(/^TCP:.*\btw (\d+)/, 1)&.to_i
    end
  end
end
