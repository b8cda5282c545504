# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Progress if nothing can be redrawn (in a file, a pipe, a dumb terminal): a line when
      # something new begins.
      class LineProgress < Progress
        # An installation that takes minutes prints its current step at this interval.
        EVERY_NS = 10_000_000_000
        # A wait for another mohs is repeated at this interval.
        WAIT_NS = 60_000_000_000

        private

        def say(line) = @out.puts(@style.plain(line))

        # Prints a text of any length below the previous line.
        def tell(text) = say("  #{@style.wrap(text, indent: 4)}")

        # Several lines a second would bury the log: one for each cohort and installation is enough.
        def update; end

        def on_install(facts)
          super
          fresh = facts[:ruby] != @installing
          return unless fresh || @clock.mono_ns - @printed_ns >= EVERY_NS

          @installing = facts[:ruby]
          @printed_ns = @clock.mono_ns
          say("#{"  " unless fresh}#{facts[:line].to_s.strip}")
        end

        def on_cohort_started(facts)
          super
          line = [@text.place, *facts[:host], *facts[:variants], *time_left].join(" · ")
          @text.at_start(line)&.then { |text| say(text) }
        end

        # Printed once for each mohs that is waited for, not in every round; then every minute.
        def waits(facts)
          now = @clock.mono_ns
          if facts != @waited
            here = " on this machine" unless facts[:machine]
            note("#{other(facts)} is measuring#{here}: taking turns with it")
          elsif now - [@told_ns, @waits_since].max >= WAIT_NS
            note(waiting(facts))
          else return
          end
          @waited, @told_ns = facts, now
        end

        # Printed at once, so that a user who has to fix something needn't wait for the table.
        def on_trial(facts)
          super
          return if facts[:stage] != :ended || !@text.reasons?

          state, reason = facts.fetch(:state), Render.reason(facts.fetch(:reason))
          why = "#{Views::OfRows::REASONS.fetch(state, "#{state}: ")}#{reason.summary}"
          first = first_with([state, reason.cause], facts[:variant])
          unless first
            tell("#{facts[:variant]} #{why}")
            return reason.remedy && say("    #{@style.wrap(reason.remedy, indent: 4)}")
          end

          (@same ||= {}).store(facts[:variant], first) unless facts[:variant] == first
        end

        # Variants that failed for a reason printed before, each once.
        def same
          fresh = @same.to_a - @named.to_a
          fresh.group_by(&:last).each do |first, pairs|
            tell("#{Wording.names(pairs.map(&:first))}: the same reason as #{first}")
          end
          @named = [*@named, *fresh]
        end

        def on_cohort_finished(facts)
          super
          same
          @text.at_end(facts).each { |line| say(line) }
        end
      end
    end
  end
end
