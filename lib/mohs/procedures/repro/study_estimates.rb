# frozen_string_literal: true

module Mohs
  module Repro
    # What the list of published studies and the plan of all of them have in common.
    module StudyEstimates
      private

      # Its last column is wrapped.
      def table
        Report::Terminal::Columns.wrapped(cells, width: [@style.width, Report::Terminal::Style::PROSE].min).lines.join("\n")
      end

      # What the times mean. estimates: of all studies, as in the document; only some have a time.
      def meaning(estimates)
        timed = estimates.select { |one| one[:estimate_s]&.positive? }
        assumed = timed.count { |one| one[:assumed] }
        more = Report::Render.text("repro_assumed", count: assumed, of: timed.size) if
          assumed.positive?
        ["the estimated time, not counting installation", *more].join("; ")
      end

      def duration(seconds) = seconds ? Report::Numbers.duration(seconds) : Report::Numbers::NONE
    end
  end
end
