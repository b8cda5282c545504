# frozen_string_literal: true

module Mohs
  module Process
    # What the kernel grants to real-time threads: pure, from its own words, so that the shield and
    # the doctor say the same.
    module RealTime
      UNLIMITED = "unlimited"

      module_function

      # What the files of /proc say: `runtime_us` of `period_us` that real-time threads get in all
      # (sched(7)), -1: all of it; `limit_us` after which the kernel ends a process that uses the
      # CPU without a pause (RLIMIT_RTTIME), nil: never. nil too where it can't be read.
      #: () { (String) -> String? } -> Hash[Symbol, Integer?]
      def grants
        runtime_us, period_us = %w[runtime period].map do |name|
          yield("proc/sys/kernel/sched_rt_#{name}_us")&.to_i
        end
        limit = yield("proc/self/limits")&.slice(/^Max realtime timeout +(\S+)/, 1)
        { runtime_us:, period_us:, limit_us: limit == UNLIMITED ? nil : limit&.to_i }
      end

      # Why nothing of ours may stand there although it is permitted: nobody else could run, or the
      # servers would be ended for being busy. nil where nothing speaks against it.
      #: (runtime_us: Integer?, period_us: Integer?, limit_us: Integer?) -> String?
      def obstacle(runtime_us:, period_us:, limit_us:)
        if limit_us
          "processes there are ended after #{limit_us} µs without a pause (RLIMIT_RTTIME)"
        elsif runtime_us && (runtime_us.negative? || (period_us && runtime_us >= period_us))
          "the kernel leaves nothing to others (kernel.sched_rt_runtime_us is #{runtime_us})"
        end
      end
    end
  end
end
