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
          return say("  decided · #{ALONE}") if @alone
          return if @procedure&.sequential? || !boots?(facts)

          say([round, *facts[:host], *facts[:variants], *time_left].join(" · "))
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

        # Printed at once, so that a user who has to fix something needn't wait for the table. In
        # a comparison the cohort's line contains it.
        def on_trial(facts)
          super
          return if @procedure&.sequential? || facts[:stage] != :ended

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
            tell("#{pairs.map(&:first).join(', ')}: the same reason as #{first}")
          end
          @named = [*@named, *fresh]
        end

        def on_cohort_finished(facts)
          super
          same
          return if @alone
          return say("  #{looks.join(' · ')}") if @compared
          return leads(facts[:document]) if @procedure&.stepwise?
          return if last?(facts) || !boots?(facts)

          so_far(facts[:document], facts[:variants]) if facts[:document]
        end

        # The result of a tuning so far, after each round, and each new reason to doubt it.
        def leads(document)
          return unless document

          tell("so far: #{document[:sentence]}")
          fresh = document[:warnings].reject { |one| @cautions.to_a.include?(one[:code]) }
          fresh.each { |one| tell("caution: #{one[:text]}") }
          @cautions = [*@cautions, *fresh.map { |one| one[:code] }]
        end

        # Figures at once, and the answer as soon as there is one. If there are no figures, the
        # reason has already been printed.
        def so_far(document, variants)
          return if document[:rows].none? { |row| row[:state] == "measured" }

          early = EarlyFigures.new(document, variants)
          tell([early, *first_interval(document)].join(" · ")) unless early.none?
          return unless early.none? || early.compared?

          tell("so far: #{document[:sentence]}")
          wider(document)
        end

        # Printed once.
        def wider(document)
          return if @wider || !interval?(document)

          @wider = true
          tell(WIDER)
        end

        # Whether the cohort is the last one: then the table follows, and its first line says the
        # same.
        def last?(facts)
          facts[:cohort] == @plan&.cohorts&.select(&:baseline)&.map(&:position)&.max
        end

        # False for the cohort of variants refused before the start: it boots nothing and has no
        # news.
        def boots?(facts)
          planned = @plan&.cohorts&.find { |cohort| cohort.position == facts[:cohort] }
          planned.nil? || planned.baseline
        end

        # Figures of a cohort's variants that have no interval yet, for people who wait: figures
        # exist after the first round, a comparison only after the third.
        class EarlyFigures
          #: (Hash[Symbol, untyped], Array[String]) -> void
          def initialize(document, variants)
            @document = document
            rows = document[:rows].select { |row| row[:state] == "measured" }
            base, others = rows.partition { |row| row[:baseline] }
            early, compared = others.partition { |row| early?(row[:verdict]) }
            @compared = compared.any?
            @early = early.select { |row| variants.include?(row[:variant]) }
            @shown = (@early + base).sort_by { |row| -rate(row).to_f }
          end

          # True if no interval is pending: all variants have one, or only the baseline was
          # measured.
          #: () -> bool
          def none? = @early.empty?

          # Whether any variant of the run has an interval.
          #: () -> bool
          def compared? = @compared

          # "1 round, no interval yet: 3.4.5 1 241/s (boot 301 ms) · 3.1.2 1 204/s (boot 296 ms)",
          # the fastest first.
          #: () -> String
          def to_s
            rounds = @early.map { |row| row[:trials][:measured] }.max
            figures = @shown.map { |row| figures(row) }.join(" · ")
            "#{Numbers.counted(rounds, 'round')}, no interval yet: #{figures}"
          end

          private

          def early?(verdict) = verdict[:outcome] == "undecided" && verdict[:interval].nil?

          def rate(row) = Unit.rate(@document, row)&.fetch(:value)

          def figures(row)
            boot = row.dig(:boot_ms, :value)
            boots = " (boot #{Numbers.whole(boot)} ms)" if boot
            unit = " #{Unit.name(@document)}" if @document[:jobs]
            "#{row[:variant]} #{Numbers.figure(rate(row))}#{unit}/s#{boots}"
          end
        end
      end
    end
  end
end
