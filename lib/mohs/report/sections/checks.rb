# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Self-checks, and remarks that are nowhere else on the page.
      class Checks < Base
        KEY = "checks"
        TITLE = "Checks and remarks"
        # Codes of these remarks.
        NOTES = %i[note next].freeze
        RANK = { "invalid" => 0, "warn" => 1 }.freeze

        private

        def any? = checks.any? || remarks.any?

        def parts
          [failed, passed, (remarked(remarks) if remarks.any?)]
        end

        # [[name, check], ...] of what the document is about, and of all variants.
        def checks
          @checks ||= own + measured.flat_map do |row|
            row[:checks].to_a.map { |check| [row[:variant], check] }
          end
        end

        # Those that are no variant's: a subclass has them.
        def own = []

        def bad
          checks.reject { |_, check| check[:level] == "ok" || (check[:ok] && check[:level].nil?) }
        end

        def failed
          return ("All self-checks passed." if checks.any?) if bad.empty?

          rows = bad.sort_by { |_, check| RANK.fetch(check[:level], 2) }.map do |variant, check|
            level = cell(check[:level], tone: Tone::LEVELS[check[:level]])
            [variant, named(check), level, check[:detail]]
          end
          listed("Self-checks that did not pass", %w[variant check level finding], rows,
                 figures: [])
        end

        def named(check) = check[:name].to_s.tr("_", " ")

        def passed
          good = checks - bad
          return if good.empty?

          rows = good.map { |variant, check| [variant, named(check), check[:detail]] }
          folded("#{good.size} checks that passed or could not be made",
                 listed("Passed, or not known", %w[variant check finding], rows, figures: []))
        end

        def remarks = @remarks ||= others.select { |one| NOTES.include?(one.code) }

        # Remarks below the terminal's table.
        def others = view.lines - view.cautions
      end
    end
  end
end
