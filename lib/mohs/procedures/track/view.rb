# frozen_string_literal: true

module Mohs
  module Track
    # A history: the answer, its points, each change with its place.
    class View < Report::Views::Base
      KIND = "history"
      LACKS = "a history is of many runs (mohs report RUN takes each)"
      LISTS = { tracks: "history --list" }.freeze
      SECTIONS = [Section, Report::Sections::Remarks, Report::Sections::Provenance].freeze

      private

      def own_name = @document[:track]

      def basis = nil

      # The newest change, and where the history stands now.
      def facts
        change = @document[:changes].last
        [*(of_change(change) if change), ["now", (now if @document[:now])]]
      end

      def of_change(change)
        shown = Report::Change.new(change, better:)
        before, since = change[:points].to_a
        points = Report::Numbers.counted(before, "point")
        sure = "#{'95 % interval, ' if shown.interval}#{points} before it and #{since} since"
        places = change.values_at(:from, :to).map { |point| Line.place(point) }
        [["which", "between #{places.join(' and ')}"],
         ["by how much", "#{@document[:metric][:title]} #{shown}"],
         ["how sure", sure]]
      end

      def now
        "#{Report::Change.new(@document[:now], better:)} against #{@document[:reference]}"
      end

      # The changes, the newest first; no table without any.
      def tables
        rows = @document[:changes].reverse.map { |change| row(change) }
        rows.any? ? [table(:changes, columns, rows, runs_on: true)] : []
      end

      def columns
        [column(:from, "changed between"), column(:to, "and"), column(:change, "change"),
         column(:interval, "interval"), column(:points, "points")]
      end

      def row(change)
        shown = Report::Change.new(change, better:)
        from, to = change.values_at(:from, :to).map { |point| cell(Line.place(point)) }
        { from:, to:, change: cell(shown.signed, value: change[:effect]),
          interval: cell(shown.interval), points: cell(change[:points].join(" + ")) }
      end

      def line = @line ||= Line.new(@document)

      # Its points and the means between changes (Line).
      def pictures
        return {} if line.kept.empty?

        { history: { values: line.values, stretches: line.stretches, changes: line.firsts,
                     better: } }
      end

      def remarks = [against, hidden, *without, newest].compact

      def better = @document[:metric][:better]

      def against
        title, reference = @document[:metric][:title], @document[:reference]
        return if line.kept.empty?

        remark("points", "#{title} against #{reference}, measured in the same session")
      end

      def hidden
        count = @document[:hidden].to_i
        return if count.zero?

        remark("left out", "#{Report::Numbers.counted(count, 'change')} that may come from " \
                           "servers that still got faster, or took CPU time from the other, " \
                           "while they were measured")
      end

      def without
        left = @document[:points].reject { |point| point[:effect] }
        left.last(2).map { |point| remark("without", "run #{point[:run]}: #{point[:reason]}") }
      end

      def newest
        point = @document[:points].last or return
        run, at_ms = point.values_at(:run, :at_ms)
        remark("newest", "run #{run}, #{Report::Numbers.minute(at_ms)} ·",
               command: Report::Proposal.to("show", run))
      end
    end
  end
end
