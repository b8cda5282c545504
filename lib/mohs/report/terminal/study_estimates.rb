# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What the list of published studies and the plan of all of them have in common.
      module StudyEstimates
        private

        # Its last column is wrapped.
        def table
          Columns.wrapped(cells, width: [@style.width, Style::PROSE].min).lines.join("\n")
        end

        # What the times mean; estimates: those of studies that have one, each with assumed:
        # (Laboratory#assumed?).
        def meaning(estimates)
          assumed = estimates.count { |one| one[:assumed] }
          more = Phrase.text("repro_assumed", count: assumed, of: estimates.size) \
            if assumed.positive?
          ["the estimated time, not counting installation", *more].join("; ")
        end

        def duration(seconds) = seconds ? Numbers.duration(seconds) : Numbers::NONE
      end
    end
  end
end
