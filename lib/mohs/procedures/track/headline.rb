# frozen_string_literal: true

module Mohs
  module Track
    # What a history shows: its newest change, or that there is none.
    class Headline < Report::Headline
      #: () -> String
      def to_s
        measured = @document[:points].count { |point| point[:effect] }
        return say("history_nothing") if measured.zero?
        return say("history_short", points: Report::Numbers.counted(measured, "point"), now:) if
          measured < Result::FEWEST

        change = @document[:changes].last
        return say("history_#{steady}", points: measured, now:) unless change

        say("history_changed", change: words(change), range: range(change), earlier:, now:)
      end

      private

      def steady = @document[:hidden].to_i.zero? ? "steady" : "unsure"

      def better = @document[:metric][:better]

      def now = "#{title} #{figures(@document[:now])} against #{@document[:reference]}"

      def title = @document[:metric][:title]

      def figures(figures) = Report::Change.new(figures, better:).to_s

      def words(change) = "#{title} #{figures(change)}"

      # Between commits if both are known and differ, else between times.
      def range(change)
        ends = change.values_at(:from, :to)
        commits = ends.map { |one| one.dig(:commit, :short) }
        times = ends.map { |one| Report::Numbers.minute(one[:at_ms]) }
        from, to = commits.compact.uniq.size == 2 ? commits : times
        say("history_between", from:, to:)
      end

      def earlier
        others = @document[:changes].size - 1
        others.zero? ? "" : " (#{Report::Numbers.counted(others, 'earlier change')})"
      end
    end
  end
end
