# frozen_string_literal: true

module Mohs
  module Repro
    # A published study: what was run, then each claim with its figures and what became of it, as
    # paragraphs, since these are sentences.
    class Layout < Report::Terminal::Layout
      KIND = View::KIND

      # Width of the names of lines.
      NAMES = 13
      INSET = 2
      # Whose application, load, ..., and the width of these words.
      SIDES = { there: "source", here: "here" }.freeze
      SIDE = 8
      PARTS = { published: "published", here: "here", judgement: "" }.freeze

      #: () -> String
      def to_s
        paragraphs(headline, setting, claims, overheads, variants, *shares, *cold_start,
                   named([*@view.remarks, *@view.next]))
      end

      private

      def shares = ShareTable.new(@view.pictures[:shares], style: @style).paragraphs

      def setting
        table = @view.table(:setting) or return
        table.rows.flat_map do |row|
          SIDES.map.with_index do |(key, side), index|
            name = index.zero? ? row[:what].text : ""
            noted([name.ljust(NAMES), side.ljust(SIDE)].join, row[key].whole)
          end
        end.join("\n")
      end

      def claims
        @view.table(:claims).rows.map { |row| claim(row) }.join("\n\n")
      end

      def claim(row)
        parts = PARTS.filter_map do |key, name|
          cell = row[key]
          next if cell == View::ABSENT

          noted(((" " * INSET) + name).ljust(NAMES), cell.whole, cell.tone)
        end
        [@style.wrap(row[:claim].whole, indent: INSET), *parts].join("\n")
      end

      # A name, and the text in a column of its own, line by line in the colour of its tone.
      def noted(name, text, tone = nil)
        lines = @style.wrap(text, indent: name.length).split("\n").map(&:lstrip)
        first, *others = lines.map { |one| @style.toned(tone, one) }
        [name + first, *others.map { |one| (" " * name.length) + one }].join("\n")
      end

      # An address can't be broken, so a long one begins its line.
      def line(remark)
        long = remark.code == :source && remark.text.length > @style.width - Report::Terminal::Style::MARGIN
        long ? "#{@style.paint(:dim, remark.name)}\n#{remark.text}" : super
      end

      # What the names of variants stand for; a long text runs on below itself.
      def variants
        table = @view.table(:variants) or return
        names = table.rows.map { |row| row[:variant].text }
        width = [names.map(&:length).max, @style.width / 2].min
        lines = table.rows.map { |row| variant(row[:variant].text, row[:runs].text, width) }
        [table.columns.map(&:title).then { |one, other| "#{one.ljust(width)}  #{other}" }, *lines]
          .join("\n")
      end

      def variant(name, runs, width)
        return noted("#{name.ljust(width)}  ", runs) if name.length <= width

        [@style.wrap(name, indent: INSET), noted(" " * INSET * 2, runs)].join("\n")
      end

      # Its caption is read below it.
      def overheads
        table = @view.table(:overheads) or return
        lines = Report::Terminal::Grid.new(table, style: @style).lines
        [*lines, @style.wrap(table.caption)].join("\n")
      end
    end
  end
end
