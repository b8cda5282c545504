# frozen_string_literal: true

module Mohs
  module Rounds
    # What is said of a run while it is measured: how long it takes, early figures, when intervals
    # come, and the answer so far.
    class ProgressText < Report::Terminal::ProgressText
      # The share by which the announced time may change without a word.
      MATTERS = 0.25

      # How the time differs from what was announced.
      TIMES = { longer: "longer", shorter: "less time" }.freeze

      # Why all intervals of a run narrow when it has finished.
      WIDER = "intervals are wider until the end: they allow for stopping at any round"

      #: (Study?, Plan?, **untyped) -> void
      def initialize(study, plan, **)
        super
        announced(plan.estimate_s)
      end

      #: (Study, Plan, eta: Rounds::TimeLeft, open: bool) -> Array[String]
      def replanned(study, plan, eta:, open:)
        unknown = @open
        super
        return [] if @open || plan.cohorts.none?(&:baseline)

        unknown ? [first(plan.estimate_s)] : [*other(plan.estimate_s)]
      end

      # Sent when the time of the run is known, and when it would take longer than announced, or
      # less (Rounds::TimeCap::Change). Rounds that are left out may come back with the next
      # estimate: the table tells of those that did not.
      #: (Hash[Symbol, untyped]) -> Array[String]
      def changed(facts)
        super
        seconds = facts[:announced_s]
        variants = facts[:cut].reject { |cut| cut[:code] == "cut_rounds" }
        left_out = Report::Render.left_out(Report::Render.cuts(variants, @study.procedure))
        @most_rounds = [@most_rounds, @plan.rounds].max
        again = facts[:first] ? first(seconds) : (other(seconds) if seconds && !@open)
        [*left_out.map { |text| "left out: #{text}" }, *again]
      end

      # The number of rounds is not settled before the time is, unless the user asked for one. It
      # stays the announced one, or a larger one if some are added.
      #: () -> String
      def place
        asked = @study.rules.rounds && @study.rules.budget_s.nil?
        [super, *(@most_rounds if !@open || asked)].join("/")
      end

      #: () -> String?
      def pending = (PlanText::MEASURING_ROUND if @open)

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

      def announced(seconds)
        @announced_s = seconds
        @most_rounds = @plan.rounds.to_i
        @told = []
      end

      # The one announcement of a run whose time was not known when it was planned.
      def first(seconds)
        @open = false
        announced(seconds)
        "#{rounds}, about #{Report::Numbers.duration(seconds)} in all"
      end

      # Compares with the time that was announced first, by which a user plans. Compared with the
      # last one, a run could be "longer than announced" and then take "less time than announced".
      # Each direction is reported once, if it matters; the time left shows the rest.
      def other(seconds)
        return if (seconds - @announced_s).abs <= @announced_s * MATTERS

        change = seconds > @announced_s ? :longer : :shorter
        return unless once(change)

        @most_rounds = @plan.rounds
        "it takes #{TIMES.fetch(change)} than announced: " \
          "about #{Report::Numbers.duration(seconds)} in all, #{rounds}"
      end

      def rounds = PlanText.rounds(@study, @plan)

      # Is this the first time since the announcement?
      def once(change) = !@told.include?(change) && @told.push(change)

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
