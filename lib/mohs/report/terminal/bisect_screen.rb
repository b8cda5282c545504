# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs bisect` for people: the answer, the steps that led to it, and the run
      # of each step.
      class BisectScreen < Screen
        HEAD = ["step", "compared with", "is", "cohorts", "seconds", "run", ""].freeze
        KINDS = { "ends" => "ends", "confirm" => "confirmed" }.freeze

        #: () -> String
        def to_s = paragraphs(head, basis, table, reasons)

        #: () -> Array[Array[String]]
        def cells
          rows = @document[:steps].map { |step| row(step) }
          rows.any? ? [HEAD, *rows] : []
        end

        # Why some points could not be measured.
        #: () -> Array[[String, String]]
        def remarks
          skipped = @document[:steps].select { |step| step[:verdict] == "skipped" }
          skipped.map { |step| [step[:b], step[:reason].to_s] }
        end

        #: () -> String?
        def basis
          steps = @document[:steps]
          return if steps.empty?

          cohorts = steps.sum { |step| step[:cohorts] }
          "#{Numbers.duration(@document[:seconds])} · #{@document[:points]} candidates · " \
            "#{cohorts} cohorts in #{steps.size} comparisons"
        end

        private

        def table = cells.any? ? Columns.new(cells).to_s.chomp : nil

        def row(step)
          [step[:b], step[:a], step[:verdict], step[:cohorts].to_s,
           format("%.0f", step[:seconds]), step[:run].to_s, KINDS.fetch(step[:kind], "")]
        end

        def reasons
          remarks.map { |name, text| @style.wrap("#{name}: #{text}", indent: 2) }.join("\n")
        end
      end
    end
  end
end
