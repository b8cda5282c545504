# frozen_string_literal: true

module Mohs
  module Rounds
    # What to measure next after a run: the comparison that says most.
    class Suggestion < Report::Suggestion
      # A study from a file is not compared but measured again, with this multiple of its rounds.
      MORE = 2

      # What the better of two does.
      SOONER = { "first-event" => "sends its first event sooner",
                 "echo" => "sends messages back sooner",
                 "fan-out" => "brings messages to all connections sooner",
                 "opening" => "opens WebSockets sooner" }.freeze

      private

      def own
        return if base.nil?

        what, a, b = @study.streams ? streams : pair
        return unless a && b

        [what, @study.file ? of_file([a, b], baseline: a, rounds:) : compared([a, b])]
      end

      def rounds = MORE * @document[:rounds][:planned]

      def base = measured.find { |row| row[:baseline] }

      def others = measured.reject { |row| row[:baseline] }

      def measured = @document[:rows].select { |row| row[:state] == "measured" }

      # The baseline's verdict against the soonest other variant.
      def streams
        other = others.first
        sooner = SOONER.fetch(@study.streams.timed)
        ["which #{sooner}", name(base), other && name(other)]
      end

      # What the comparison would tell, A and B.
      def pair
        top = others.find { |row| outcome(row) == "faster" }
        return ["which of the two is faster", name(top), name(tied(top))] if top && tied(top)
        return ["narrower interval", name(base), name(top)] if top

        open = others.find { |row| outcome(row) == "undecided" } and
          ["to decide", name(base), name(open)]
      end

      # The next variant that can't be told apart from `top`.
      def tied(top)
        names = groups_of(top).flat_map { |group| group[:variants] } - [top[:variant]]
        others.find { |row| names.include?(row[:variant]) }
      end

      def groups_of(row)
        @document[:groups].to_a.select { |group| group[:variants].include?(row[:variant]) }
      end

      def outcome(row) = row[:verdict][:outcome]

      def name(row) = written(row[:variant])
    end
  end
end
