# frozen_string_literal: true

module Mohs
  module Doctor
    # What goes on while something is measured: made before, called after. Counters of the kernel
    # are read at both ends, nothing runs in between.
    class Watch
      Counters = Struct.new(:time_ns, :throttled, :swapped, :processes, keyword_init: true) do
        include Value
      end

      # CPU pressure just before the watch began; nil where the kernel does not tell.
      attr_reader :pressure

      #: (?reader: Doctor::Reader, ?times: Proc, ?clock: Proc) -> void
      def initialize(reader: Reader.new, times: -> { ::Process.times }, clock: -> { Clock.mono_ns })
        @reader = reader
        @clock = clock
        @pressure = reader.text("proc/pressure/cpu")&.slice(/^some .*?avg10=([\d.]+)/, 1)&.to_f
        stat = reader.path("proc/stat")
        @foreign = Probes::ForeignLoad.new(stat:, times:) if File.readable?(stat)
        @before = read
      end

      # Since the start: { foreign_cpu_share:, steal_share: (Probes::ForeignLoad), throttled: times,
      # swapped: pages, processes: [{ name:, share: of all cores }] the busiest first }; nil what
      # can't be read.
      #: () -> Hash[Symbol, untyped]
      def call
        now = read
        shares = @foreign ? @foreign.call : { foreign_cpu_share: nil, steal_share: nil }
        shares.merge(throttled: grown(now, :throttled), swapped: grown(now, :swapped),
                     processes: Neighbours.busy(@before.processes, now.processes,
                                                seconds: (now.time_ns - @before.time_ns) / 1e9))
      end

      private

      def read
        Counters.new(time_ns: @clock.call, throttled: Cgroup.new(@reader).throttled,
                     swapped:, processes: Neighbours.read(@reader))
      end

      # A machine without swap cannot swap, whatever its kernel counts.
      def swapped
        return 0 if @reader.field("proc/meminfo", "SwapTotal") == 0

        pages = %w[pswpin pswpout].map { |name| @reader.field("proc/vmstat", name) }
        pages.sum unless pages.include?(nil)
      end

      def grown(now, counter)
        from, to = [@before, now].map { |counters| counters[counter] }
        to - from if from && to
      end
    end
  end
end
