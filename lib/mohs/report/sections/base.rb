# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Makes a part of the page from a document, as data (View::Section). A subclass has:
      #
      #   KEY, TITLE  of the section
      #   HOW         a line that says how to read it; nil: it needs none
      #   any?        whether the document has what the section shows
      #   parts       what it shows; nil and empty lists are left out
      class Base
        include Views::Cells

        HOW = nil

        # Kinds of the parts below, by short names.
        Parts = View::Section
        private_constant :Parts

        # view: of the document, if it has been built.
        #: (Hash[Symbol, untyped], ?Report::View?) -> void
        def initialize(document, view = nil)
          @document = document
          @view = view
        end

        # nil if the document has nothing to show.
        #: () -> Report::View::Section?
        def to_section
          return unless any?

          Parts.new(key: self.class::KEY, title:, how:, parts: parts.flatten.compact)
        end

        private

        def any? = raise(NotImplementedError, "#{self.class}#any?")

        def parts = raise(NotImplementedError, "#{self.class}#parts")

        def title = self.class::TITLE

        def how = self.class::HOW

        def view = @view ||= Views.of(@document)

        def rows = @document[:rows].to_a

        def measured = @measured ||= rows.select { |row| row[:state] == "measured" }

        def curves = @document[:curves].to_h.fetch(:variants, [])

        # The number of a variant among the series.
        def number(name)
          @numbers ||= rows.map { |row| row[:variant] }.each_with_index.to_h
          @numbers[name] ||= @numbers.size
        end

        # What a picture shows, for readers who can't see it. items: [{ name:, text: }].
        def spoken(items) = items.map { |one| "#{one[:name]}: #{one[:text]}" }.join("; ")

        def folded(summary, *parts) = Parts::Fold.new(summary:, parts: parts.flatten.compact)

        def pairs(pairs) = Parts::Pairs.new(pairs:)

        def remarked(remarks)
          pairs(remarks.map do |one|
            command = one.command && word(one.command.line, :code)
            [one.name, command ? [one.text, " ", command] : one.text]
          end)
        end

        def heading(text) = Parts::Heading.new(text:)

        def lines(text) = Parts::Lines.new(text:)

        # texts: some of them words.
        def paragraph(*words) = Parts::Paragraph.new(words: words.compact)

        def word(text, kind) = Parts::Word.new(text:, kind:)

        # A table of texts and cells. titles: of the columns. figures: indexes of those that contain
        # figures.
        def listed(caption, titles, rows, figures: 1..)
          columns = titles.each_with_index.map do |title, at|
            column(at, title, figure: figures.include?(at))
          end
          cells = rows.map { |row| row.each_with_index.to_h { |one, at| [at, of_list(one)] } }
          table(:list, columns, cells, caption:)
        end

        def of_list(given) = given.is_a?(View::Cell) ? given : cell(given)

        # A table of the view, with these columns as its figures.
        def shown(table, caption, figures: nil)
          figures ||= table.columns.select(&:figure).map(&:key)
          columns = table.columns.map do |one|
            View::Column.new(**one.to_h, figure: figures.include?(one.key))
          end
          View::Table.new(**table.to_h, columns:, caption:)
        end
      end
    end
  end
end
