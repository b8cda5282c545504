# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Responses wait in the driver until it has read those before them: their connections are idle
      # for that long, and the server gets less load than requested. Reading the clock for each
      # event shows it: how long after the first event of a wake-up each one is read. (If the server
      # has the same core, sending a request may give it the core before the next event is read.)
      class EventAge < Base
        # Share of the time of a request: below it, the load is nearly the requested one.
        TOLERANCE = 0.1

        FIGURES = "%{per_wakeup|short} events a wake-up, read %{mean_ns|us} after the first, " \
                  "at most %{max_ns|ms}"

        WORDS = {
          unread: "not recorded: events",
          prompt: "#{FIGURES}, %{share|percent} of what a request takes",
          waited: "responses waited in the driver for %{share|percent} of what a request takes " \
                  "(#{FIGURES}): it reads one after another. Use fewer connections, or more " \
                  "threads",
        }.freeze

        private

        def judge
          return unknown(:unmeasured) if total(:good).zero?
          return unknown(:shared_core) if facts[:apart] == false
          return unknown(:unread) unless events&.positive?

          values[:share] <= TOLERANCE ? pass(:prompt, **values) : warn(:waited, **values)
        end

        def events = (of_threads(:events) if thread_stats.any?)

        def values
          mean_ns = of_threads(:age_sum_ns).fdiv(events)
          { per_wakeup: events.fdiv(of_threads(:wakeups)), mean_ns:,
            max_ns: thread_stats.map { |pulse| pulse[:age_max_ns] }.max,
            share: mean_ns / total(:latency_sum_ns).fdiv(total(:good)) }
        end
      end
    end
  end
end
