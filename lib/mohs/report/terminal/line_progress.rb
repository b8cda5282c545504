# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Progress where nothing can be redrawn (a file, a pipe, a dumb terminal): a line when
      # something new begins.
      class LineProgress < Progress
        private

        def say(line) = @out.puts(line)

        # Lines a second would bury the log: one a cohort and one an installation is enough.
        def update; end

        def on_install(facts)
          return if facts[:ruby] == @installing

          @installing = facts[:ruby]
          say("installing what #{facts[:ruby]} needs")
        end

        def on_cohort_started(facts)
          super
          say([round, *facts[:variants], *time_left].join(" · "))
        end

        def on_cohort_finished(facts)
          super
          say("  so far: #{facts[:document][:sentence]}") if facts[:document]
        end
      end
    end
  end
end
