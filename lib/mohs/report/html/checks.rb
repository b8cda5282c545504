# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Self-checks and other remarks on the figures.
      class Checks < Section
        ID = "checks"
        TITLE = "Checks and remarks"
        # Codes of the remarks that are here though others are elsewhere on the page.
        NOTES = %i[note next].freeze
        RANK = { "invalid" => 0, "warn" => 1 }.freeze

        #: () -> bool
        def any? = checks.any? || remarks.any?

        #: () -> untyped
        def content = [failed, passed, (pairs(remarks) if remarks.any?)]

        private

        # [[variant, check], ...] of all variants.
        def checks
          own = @document[:checks].to_a.map { |check| [@document[:server].to_s, check] }
          @checks ||= own + measured.flat_map do |row|
            row[:checks].to_a.map { |check| [row[:variant], check] }
          end
        end

        def bad
          checks.reject { |_, check| check[:level] == "ok" || (check[:ok] && check[:level].nil?) }
        end

        def failed
          return (element(:p, "All self-checks passed.") if checks.any?) if bad.empty?

          rows = bad.sort_by { |_, check| RANK.fetch(check[:level], 2) }.map do |variant, check|
            [variant, check[:name].to_s.tr("_", " "),
             element(:span, check[:level], class: "word l-#{check[:level]}"), check[:detail]]
          end
          table("Self-checks that did not pass", %w[variant check level finding], rows,
                figures: 99..)
        end

        def passed
          good = checks - bad
          return if good.empty?

          rows = good.map do |variant, check|
            [variant, check[:name].to_s.tr("_", " "), check[:detail]]
          end
          folded("#{good.size} checks that passed or could not be made",
                 table("Passed, or not known", %w[variant check finding], rows, figures: 99..))
        end

        # [[name, text], ...]: remarks below the terminal's table that are not elsewhere on this
        # page.
        def remarks
          @remarks ||= begin
            lines = view.lines - view.cautions
            lines = lines.select { |one| NOTES.include?(one.code) } unless kind::REMARKED
            lines.map { |one| [one.name, one.line] }
          end
        end
      end
    end
  end
end
