# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What the document of a load says of each step of its scenario: a line of actions, and a
      # table.
      class ScenarioTable
        TITLES = ["action", "step", "sent", "right", "p50 ms", "p99"].freeze
        FIGURES = (2..).freeze # columns that end where their title does
        INDENT = "  "

        #: (Hash[Symbol, untyped], style: Terminal::Style) -> void
        def initialize(scenario, style:)
          @scenario = scenario
          @style = style
        end

        #: () -> Array[String]
        def lines = [actions, *table]

        private

        def actions
          begun, finished = @scenario[:actions].values_at(:begun, :finished)
          logins = @scenario[:logins]
          ["#{Numbers.whole(begun)} actions begun, " \
           "#{Numbers.whole(finished)} finished with every step right",
           *("#{Numbers.whole(logins)} clients logged in" if logins)].join(" · ")
        end

        def table
          rows = [TITLES, *@scenario[:steps].map { |step| cells(step) }]
          title, *lines = Columns.new(rows, figures: FIGURES).lines.map { |line| INDENT + line }
          [title, *lines.zip(@scenario[:steps]).flat_map { |line, step| [line, *errors(step)] }]
        end

        def cells(step)
          [step[:action] || Numbers::NONE, shortened(step[:request]), Numbers.whole(step[:sent]),
           Numbers.whole(step[:good]), Numbers.figure(step[:p50_ms]), Numbers.figure(step[:p99_ms])]
        end

        # Half of the screen is for figures.
        def shortened(text)
          most = @style.width / 2
          text.length > most ? "#{text[0, most - 1]}…" : text
        end

        def errors(step)
          return [] if step[:errors][:total].zero?

          classes = step[:errors][:by_class].sort_by { |_, count| -count }
                                            .map { |name, count| "#{name} #{Numbers.whole(count)}" }
          @style.paint(:red, "#{INDENT * 2}#{classes.join(', ')}")
        end
      end
    end
  end
end
