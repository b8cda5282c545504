# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Variants without figures, the reasons, and the last lines of their logs.
      class Unmeasured < Base
        KEY = "unmeasured"
        TITLE = "Not measured"
        # Last lines of a log that are shown.
        LINES = 12

        private

        def any? = without.any? || dropped.any?

        def parts
          [*without.map { |row| variant(row) },
           (Parts::List.new(texts: dropped.map { |one| words(one) }) if dropped.any?)]
        end

        def without = rows.reject { |row| row[:state] == "measured" }

        def dropped = @document[:dropped].to_a

        def words(one) = [one[:variant], one[:reason]].compact.join(": ")

        def variant(row)
          [heading("#{row[:variant]} (#{row[:state]})"), paragraph(row[:summary] || row[:reason]),
           (row[:remedy] && "Try: #{row[:remedy]}"), log(row)]
        end

        def log(row)
          last = row[:log_tail].to_s.lines(chomp: true).last(LINES)
          return if last.all?(&:empty?)

          text = last.map { |one| Printable.cut(one, Printable::LINE) }.join("\n")
          folded("Last lines of its log", lines(text))
        end
      end
    end
  end
end
