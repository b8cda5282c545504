# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Variants without figures, the reasons, and the last lines of their logs.
      class Unmeasured < Section
        ID = "unmeasured"
        TITLE = "Not measured"
        # Last lines of a log that are shown.
        LINES = 12

        #: () -> bool
        def any? = without.any? || dropped.any?

        #: () -> untyped
        def content
          [*without.map { |row| variant(row) },
           *(element(:ul, dropped.map { |one| element(:li, words(one)) }) if dropped.any?)]
        end

        private

        def without = rows.reject { |row| row[:state] == "measured" }

        def dropped = @document[:dropped].to_a

        def words(one) = [one[:variant], one[:reason]].compact.join(": ")

        def variant(row)
          [element(:h3, "#{row[:variant]} (#{row[:state]})"),
           element(:p, row[:summary] || row[:reason]),
           *(row[:remedy] && element(:p, "Try: #{row[:remedy]}")), *log(row)]
        end

        def log(row)
          lines = row[:log_tail].to_s.lines(chomp: true).last(LINES)
          return if lines.all?(&:empty?)

          text = lines.map { |one| Printable.cut(one, Printable::LINE) }.join("\n")
          folded("Last lines of its log", element(:pre, text))
        end
      end
    end
  end
end
