# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs bisect` for people: the answer, the steps that led there, where each
      # can be looked at again.
      class BisectScreen < Screen
        HEAD = ["step", "compared with", "is", "cohorts", "seconds", "run", ""].freeze
        KINDS = { "ends" => "ends", "confirm" => "confirmed" }.freeze

        #: () -> String
        def to_s = paragraphs(head, basis, table, reasons)

        private

        def basis
          steps = @document[:steps]
          return if steps.empty?

          cohorts = steps.sum { |step| step[:cohorts] }
          "#{Numbers.duration(@document[:seconds])} · #{@document[:points]} candidates · " \
            "#{cohorts} cohorts in #{steps.size} comparisons"
        end

        def table
          rows = @document[:steps].map { |step| row(step) }
          Columns.new([HEAD, *rows]).to_s.chomp if rows.any?
        end

        def row(step)
          [step[:b], step[:a], step[:verdict], step[:cohorts].to_s,
           format("%.0f", step[:seconds]), step[:run].to_s, KINDS.fetch(step[:kind], "")]
        end

        # Why some could not be measured.
        def reasons
          skipped = @document[:steps].select { |step| step[:verdict] == "skipped" }
          skipped.map { |step| @style.wrap("#{step[:b]}: #{step[:reason]}", indent: 2) }.join("\n")
        end
      end
    end
  end
end
