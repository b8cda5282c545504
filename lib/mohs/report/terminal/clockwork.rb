# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # How far a run is, and how long it still takes: the plan's estimate, corrected by how long
      # the cohorts took that are done. Installing doesn't count: the clock starts with the first
      # cohort.
      class Clockwork
        # What is running is never taken for done.
        ALMOST = 0.95

        #: (Plan, ?clock: Module) -> void
        def initialize(plan, clock: Clock)
          @estimates = plan.cohorts.to_h { |cohort| [cohort.position, cohort.estimate_s] }
          @clock = clock
          @done_s = 0.0
          @took_s = 0.0
          @current = nil
        end

        #: (Integer) -> void
        def started(position)
          @current = position
          @started_ns = @clock.mono_ns
        end

        # What was waited for until now says nothing about how long a cohort takes.
        #: () -> void
        def waited = @started_ns = @clock.mono_ns

        # A resumed run's cohorts that were done before count as done, not as quick.
        #: (Integer) -> void
        def finished(position)
          @took_s += running_s
          @done_s += @estimates.fetch(position, 0)
          @estimates.delete(position)
          @current = nil
        end

        # 0..1.
        #: () -> Float
        def share = all_s.zero? ? 0.0 : ((@done_s + current_s) / all_s).clamp(0.0, 1.0)

        # Seconds.
        #: () -> Float
        def left_s = [(@estimates.values.sum - current_s) * pace, 0.0].max

        private

        def all_s = @done_s + @estimates.values.sum

        # Seconds of the present cohort's estimate that are behind us.
        def current_s
          @current ? [running_s / pace, @estimates.fetch(@current, 0) * ALMOST].min : 0.0
        end

        def running_s = @current ? (@clock.mono_ns - @started_ns) / 1e9 : 0.0

        def pace = @done_s.positive? && @took_s.positive? ? @took_s / @done_s : 1.0
      end
    end
  end
end
