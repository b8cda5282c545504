# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # A view as a screen: the answer, what it rests on, the figures, and lines below them. Screens
      # that look different are subclasses.
      class Layout
        # Spaces before every line but the first.
        INDENT = 2

        #: (Report::View, ?style: Terminal::Style) -> void
        def initialize(view, style: Style.new)
          @view = view
          @style = style
        end

        #: () -> String
        def to_s
          paragraphs(head, named(@view.cautions), *above, *grids.map { |grid| table(grid) }, *below,
                     named([*names, *remarks, *columns, *@view.next]), log)
        end

        # What a person sees while it goes on.
        #: () -> String
        def so_far
          paragraphs(headline, named(@view.cautions), *grids.map { |grid| table(grid) })
        end

        private

        def head
          [wrapped(@view.subject), headline, wrapped(why), wrapped(basis)].compact.join("\n")
        end

        def why = @view.why && "Why: #{@view.why}."

        # What the answer rests on, where the sentence doesn't say it.
        def basis = nil

        # nil if there is no answer yet.
        def headline
          @style.paint(:bold, @style.wrap(@view.headline)) unless @view.headline.empty?
        end

        def wrapped(text) = text && @style.wrap(text)

        # Paragraphs above the tables.
        def above = []

        # Paragraphs below them.
        def below = []

        # How the levels became warm, where that was recorded.
        def cold_start = ColdStart.new(@view, style: @style).paragraphs

        def remarks = @view.remarks.select { |remark| needed?(remark) }

        # Of all tables but those of a cold start, which stand below them.
        def grids
          @grids ||= @view.tables.reject { |table| Views::ColdStart::KEYS.include?(table.key) }
                          .map { |table| Grid.new(table, style: @style) }
        end

        def table(grid) = grid.lines.join("\n")

        # Whether the tables, as they are shown, leave something for this remark to say.
        def needed?(remark)
          return false if remark.with && !shows?(remark.with)
          return false if remark.without&.all? { |key| shows?(key) }

          remark.rows.nil? || (remark.rows & cut_notes).any?
        end

        def shows?(key) = grids.any? { |grid| grid.shows?(key) }

        def cut_notes = @cut_notes ||= grids.flat_map(&:cut_notes)

        # Names that were shortened.
        def names
          cut = grids.flat_map(&:cut_names)
          return [] if cut.empty?

          [View::Remark.new(name: "names",
                            text: "cut above, in the same order:\n#{cut.join("\n")}")]
        end

        # Columns that did not fit.
        def columns
          without(grids.flat_map(&:left_out).uniq)
        end

        def without(titles)
          return [] if titles.empty?

          name, text = @style.left_out(titles)
          [View::Remark.new(name:, text:)]
        end

        def named(remarks)
          remarks.map { |remark| line(remark) }.join("\n")
        end

        def line(remark)
          text = remark.text
          text = "#{Wording.names(remark.rows & cut_notes)}: #{text}" if remark.rows
          return @style.named(remark.name, text) unless remark.command

          @style.named_command(remark.name, text, remark.command)
        end

        def log
          return unless @view.log

          lines = @view.log.lines.map { |line| "    #{line}" }
          "From the log of #{@view.log.variant}:\n#{lines.join("\n")}"
        end

        def paragraphs(*parts) = "#{parts.compact.reject(&:empty?).join("\n\n")}\n"
      end
    end
  end
end
