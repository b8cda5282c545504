# frozen_string_literal: true

require "etc"

module Mohs
  module Probes
    # How much of the machine processes other than ours took meanwhile. Ours are mohs itself and
    # every child that it has waited for, so both ends have to be read while no server runs.
    class ForeignLoad
      # Columns of /proc/stat's "cpu" line after its name (proc(5)): idle and iowait are not busy;
      # guest is in user already.
      IDLE, IOWAIT, STEAL = 3, 4, 7
      COLUMNS = 8

      #: (?stat: String, ?times: Proc, ?ticks_per_s: Integer) -> void
      def initialize(stat: "/proc/stat", times: -> { ::Process.times }, ticks_per_s: Etc.sysconf(Etc::SC_CLK_TCK))
        @stat = stat
        @times = times
        @ticks_per_s = ticks_per_s
        @before = read
      end

      # Since the start: `foreign_cpu_share` of all cores' time (0..1) and `steal_share`, what the
      # hypervisor took.
      #: () -> Hash[Symbol, Float]
      def call
        total, busy, steal, own = read.zip(@before).map { |now, before| now - before }
        return { foreign_cpu_share: 0.0, steal_share: 0.0 } unless total.positive?

        foreign = ((busy - own) / total).clamp(0.0, 1.0)
        { foreign_cpu_share: foreign.round(4), steal_share: (steal / total).round(4) }
      end

      private

      # Seconds: of all cores, busy, stolen, ours.
      def read
        columns = File.foreach(@stat).first.split.drop(1).first(COLUMNS)
        seconds = columns.map { |ticks| ticks.to_f / @ticks_per_s }
        idle = seconds.values_at(IDLE, IOWAIT, STEAL).sum
        [seconds.sum, seconds.sum - idle, seconds[STEAL], @times.call.to_a.sum]
      end
    end
  end
end
