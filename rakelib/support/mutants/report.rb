# frozen_string_literal: true

module Mutants
  # The results of a session, as text.
  class Report
    #: (Hash[String, Array[Trial::Outcome]], Equivalents, stale: Array[String], goal: Integer, seed: Integer) -> void
    def initialize(outcomes, equivalents, stale:, goal:, seed:)
      @equivalents = equivalents
      @rooms = outcomes
      @stale = stale
      @goal = goal
      @seed = seed
    end

    #: () -> bool
    def good? = @stale.empty? && wrong.empty? && score(all) >= @goal

    #: () -> Array[String]
    def lines
      rooms = @rooms.sort.map { |room, outcomes| line(room, outcomes) }
      [*rooms, line("all", all), "seed #{@seed}",
       *section("survivors", survivors.map { |outcome| survivor(outcome) }),
       *section("listed as equivalent, and yet killed", wrong.map(&:mutation)),
       *section("listed as equivalent, and no longer there", @stale)]
    end

    private

    def all = @rooms.values.flatten
    def survivors = all.reject { |outcome| outcome.killed? || equivalent?(outcome) }
    def wrong = all.select { |outcome| outcome.killed? && equivalent?(outcome) }
    def equivalent?(outcome) = @equivalents.include?(outcome.mutation)

    # Percentage of killed mutants among those that are not equivalent; 100 if there are none.
    def score(outcomes)
      counted = outcomes.reject { |outcome| equivalent?(outcome) }
      counted.empty? ? 100.0 : 100.0 * counted.count(&:killed?) / counted.size
    end

    def line(name, outcomes)
      equal = outcomes.count { |outcome| equivalent?(outcome) }
      format("%-9s %5.1f of 100 killed: %d of %d, %d by time, %d equivalent", name, score(outcomes),
             outcomes.count(&:killed?), outcomes.size - equal,
             outcomes.count { |outcome| outcome.state == :timeout }, equal)
    end

    def survivor(outcome)
      "#{outcome.mutation}#{'  (no test runs it)' if outcome.tests.zero?}"
    end

    def section(title, entries)
      entries.empty? ? [] : ["", "#{title}:", *entries.map { |entry| "  #{entry}" }.sort]
    end
  end
end
