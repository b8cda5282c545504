# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The list of published studies for people.
      class ReproListScreen < Screen
        HEAD = ["study", "claims here", "source", "about"].freeze

        #: () -> String
        def to_s
          rows = @document[:studies].map do |study|
            source = study[:source]
            [study[:name], "#{study[:testable]} of #{study[:claims]}",
             [source[:authors].first, source[:year]].join(" "), study[:title]]
          end
          lines = Columns.new([HEAD, *rows]).lines.map { |line| @style.cut(line) }
          paragraphs(lines.join("\n"), "Reproduce one: mohs repro NAME --quick")
        end
      end
    end
  end
end
