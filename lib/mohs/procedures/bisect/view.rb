# frozen_string_literal: true

module Mohs
  module Bisect
    # A bisection: the answer, the steps that led to it, and the run of each step.
    class View < Report::Views::Base
      KIND = "bisect"
      LACKS = "a bisection has steps, not variants"
      SECTIONS = [Section, *Report::Views::Base::SECTIONS].freeze
      KINDS = { "ends" => "ends", "confirm" => "confirmed" }.freeze

      private

      def steps = @document[:steps]

      def basis
        return if steps.empty?

        "#{Report::Numbers.duration(@document[:seconds])} · #{@document[:points]} candidates · " \
          "#{steps.sum { |step| step[:cohorts] }} cohorts in #{steps.size} comparisons"
      end

      def tables
        rows = steps.map { |step| row(step) }
        rows.any? ? [table(:steps, columns, rows, runs_on: true)] : []
      end

      def columns
        [column(:step, "step"), column(:against, "compared with"), column(:verdict, "is"),
         column(:cohorts, "cohorts"), column(:seconds, "seconds"), column(:run, "run"),
         column(:kind, "")]
      end

      def row(step)
        { step: cell(step[:b]), against: cell(step[:a]), verdict: cell(step[:verdict]),
          cohorts: cell(step[:cohorts], value: step[:cohorts]),
          seconds: cell(format("%.0f", step[:seconds]), value: step[:seconds]),
          run: cell(step[:run]), kind: cell(KINDS[step[:kind]]) }
      end

      # What to try against the reason in the sentence, and why some points could not be measured.
      def remarks
        skipped = steps.select { |step| step[:verdict] == "skipped" }
        [cure(@document[:remedy]),
         *skipped.map { |step| remark(step[:b], step[:reason].to_s, code: :skipped) }].compact
      end
    end
  end
end
