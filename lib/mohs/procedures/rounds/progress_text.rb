# frozen_string_literal: true

module Mohs
  module Rounds
    # What is said of a run while it is measured: early figures, when intervals come, and the answer
    # so far.
    class ProgressText < Report::Terminal::ProgressText
      # Why all intervals of a run narrow when it has finished.
      WIDER = "intervals are wider until the end: they allow for stopping at any round"

      #: (Hash[Symbol, untyped]) -> Array[String]
      def at_end(facts)
        return [] if last?(facts) || !boots?(facts) || facts[:document].nil?

        so_far(facts[:document], facts[:variants]).map { |text| below(text) }
      end

      #: (Hash[Symbol, untyped]) -> Array[String]
      def table(document)
        return super unless interval?(document)

        [*super, @style.paint(:dim, @style.cut(WIDER))]
      end

      # "first interval in about 40 s", until the run shows one; nil if it will have too few rounds.
      #: () -> String?
      def soon = first_interval(@document)

      private

      # Figures at once, and the answer as soon as there is one. If there are no figures, the reason
      # has already been printed.
      def so_far(document, variants)
        return [] if document[:rows].none? { |row| row[:state] == "measured" }

        early = EarlyRates.new(document, variants)
        texts = early.none? ? [] : [[early, *first_interval(document)].join(" · ")]
        return texts unless early.none? || early.compared?

        [*texts, "so far: #{document[:sentence]}", *wider(document)]
      end

      # Printed once.
      def wider(document)
        return if @wider || !interval?(document)

        @wider = true
        WIDER
      end

      # Whether the cohort is the last one: then the table follows, and its first line says the
      # same.
      def last?(facts)
        facts[:cohort] == @plan&.cohorts&.select(&:baseline)&.map(&:position)&.max
      end

      def boots?(facts)
        planned = planned(facts)
        planned.nil? || planned.baseline
      end

      def interval?(document) = document[:rows].any? { |row| row[:verdict][:interval] }

      def first_interval(document)
        return if @eta.nil? || document.nil? || interval?(document)

        others = document[:rows].select { |row| row[:state] == "measured" && !row[:baseline] }
        times = others.filter_map { |row| interval_s(row) }
        "first interval in about #{Report::Numbers.rough_duration(times.min)}" if times.any?
      end

      def interval_s(row)
        rounds = Analysis::Effects::ROUNDS - row[:trials][:measured]
        @eta.until_s(row[:variant], rounds) if rounds.positive?
      end
    end
  end
end
