# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The screen of `mohs doctor`, from its document: the answer in a sentence, this host's
      # problems with their remedies, and the other checks by name unless all are requested.
      class DoctorScreen < Screen
        LEVELS = %w[bad warn ok].freeze
        GAP = 2
        INDENT = 7

        #: (Hash[Symbol, untyped], style: Terminal::Style, ?all: bool?) -> void
        def initialize(document, style:, all: false)
          super(document, style:)
          @all = all
        end

        #: () -> String
        def to_s = paragraphs(headline(sentence), changes, rows.join("\n"))

        private

        def checks
          @document[:checks].sort_by.with_index { |check, at| [LEVELS.index(check[:level]), at] }
        end

        def troubles = checks.reject { |check| check[:level] == "ok" }

        def sentence
          test = @document[:self_test] or return without_test

          found, beyond = test[:resolves].partition { |resolved| resolved[:seconds] }
          least = beyond.map { |resolved| resolved[:difference] }.max
          return say("doctor_shows_nothing", difference: least, cohorts: test[:cohorts]) \
            if found.empty?

          beyond_clause = least ? say("doctor_beyond", difference: least) : ""
          times = found.map { |resolved| resolved(resolved) }.join(", ")
          say("doctor_shows", times:, beyond_clause:, cohorts: test[:cohorts])
        end

        def resolved(resolved)
          say("doctor_resolved", difference: resolved[:difference],
                                 time: Numbers.duration(resolved[:seconds]))
        end

        def without_test
          count = troubles.size
          return say("doctor_clean", unseen_clause:) if count.zero?

          say("doctor_problems", problems: Numbers.counted(count, "problem"), unseen_clause:)
        end

        def unseen_clause
          count = @document[:unknown].size
          count.zero? ? "" : say("doctor_unseen", count:)
        end

        def say(code, **values) = Render.text(code, **values)

        def changes
          done = @document[:changes] or return
          return say("doctor_unchanged") if done.empty?

          done.group_by { |change| change.values_at(:was, :now, :state, :reason) }
              .map { |_, same| change_line(same) }.join("\n")
        end

        # Equal changes share a line: 64 cores have one governor each.
        def change_line(same)
          change = same.first
          where = Wording.few(same.map { |one| one[:path] }, 1)
          what = "#{words(change[:was])} -> #{words(change[:now])}"
          why = ": #{change[:reason]}" if change[:reason]
          text = @style.wrap("#{where}: #{what}#{why}", indent: INDENT)
          "#{change[:state].ljust(INDENT)}#{text}"
        end

        def words(text) = text.split.join(" ")

        def rows
          shown = @all ? checks : troubles
          lines = shown.map { |check| row(*check.values_at(:level, :label, :detail, :remedy)) }
          lines + (@all ? unknown : collapsed)
        end

        def unknown
          @document[:unknown].map { |check| row("?", check[:label], check[:reason], nil) }
        end

        # Checks without problems, by name.
        def collapsed
          well = checks - troubles
          hidden = [["ok", well], ["?", @document[:unknown]]].reject { |_, list| list.empty? }
          hidden.map.with_index do |(level, list), at|
            names = list.map { |check| check[:label] }.join(", ")
            names += " (mohs doctor --all)" if at == hidden.size - 1
            "#{mark(level)}#{@style.wrap(names, indent: mark_width)}"
          end
        end

        # The remedy is on a line of its own, so that it can be copied.
        def row(level, label, detail, remedy)
          indent = mark_width + label_width
          first = "#{mark(level)}#{label.ljust(label_width)}#{@style.wrap(detail, indent:)}"
          return first unless remedy

          "#{first}\n#{' ' * indent}#{@style.wrap("-> #{remedy}", indent: indent + 3)}"
        end

        def mark(level) = @style.toned(Tone::LEVELS[level], level.ljust(mark_width))

        def mark_width = LEVELS.map(&:length).max + GAP

        def label_width
          names = [*@document[:checks], *@document[:unknown]].map { |check| check[:label].length }
          names.max.to_i + GAP
        end
      end
    end
  end
end
