# frozen_string_literal: true

module Mohs
  # The two clocks, by name: `mono_ns` for differences, `real_ms` for what is stored and shown.
  module Clock
    module_function

    # Nanoseconds of CLOCK_MONOTONIC, which the C core uses, too.
    #: () -> Integer
    def mono_ns = ::Process.clock_gettime(::Process::CLOCK_MONOTONIC, :nanosecond)

    # Milliseconds since the epoch.
    #: () -> Integer
    def real_ms = ::Process.clock_gettime(::Process::CLOCK_REALTIME, :millisecond)

    # Nanoseconds since the epoch at this monotonic moment, if both clocks ran at the same rate.
    #: (Integer) -> Integer
    def real_ns(moment_ns)
      ::Process.clock_gettime(::Process::CLOCK_REALTIME, :nanosecond) - mono_ns + moment_ns
    end

    # A monotonic time `seconds` from now, to compare with mono_ns.
    #: (Numeric) -> Integer
    def deadline(seconds) = mono_ns + (seconds * 1_000_000_000).to_i

    # A span of seconds in nanoseconds, as the C core takes it. Raises ArgumentError if it is
    # negative: the core's are unsigned.
    #: (Numeric) -> Integer
    def span_ns(seconds)
      raise ArgumentError, "#{seconds} s: a time is 0 or more" if seconds.negative?

      (seconds * 1_000_000_000).round
    end
  end
end
