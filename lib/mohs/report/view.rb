# frozen_string_literal: true

module Mohs
  module Report
    # What a result's document (docs/json.md) says, as data without a layout: the terminal,
    # Markdown, the page and the dashboard arrange the same view (Views.of).
    #
    #   kind      that of the document: "compare", "rate", ...
    #   subject   what was measured; nil if the document doesn't say
    #   headline  the answer in a sentence
    #   why       what causes the answer; nil if unknown
    #   basis     what the answer rests on; nil if nothing was measured
    #   facts     [[term, texts]]: which, by how much, how sure, at what cost
    #   cautions  [View::Remark], to be read before the figures
    #   tables    [View::Table]
    #   pictures  kind => the data that is drawn
    #   remarks   [View::Remark] on the figures
    #   next      [View::Remark]: what to type next
    #   log       View::Log of a server, if nothing else helps; nil otherwise
    #   others    views of other pairs of variants, below this one
    View = Struct.new(:kind, :subject, :headline, :why, :basis, :facts, :cautions, :tables,
                      :pictures, :remarks, :next, :log, :others, keyword_init: true) do
      include Value

      # nil if the document has no such table.
      #: (Symbol) -> View::Table?
      def table(key) = tables.find { |one| one.key == key }

      # The remarks that say something beside whole tables, and what to type next.
      #: () -> Array[View::Remark]
      def lines = [*cautions, *remarks, *self.next].select(&:needed?)
    end

    class View
      # A page of a result.
      #
      #   title     of the browser's window
      #   subject   what was measured, in a line
      #   headline  the answer
      #   why       what causes it; nil if unknown
      #   facts     as of the view
      #   cautions  texts to be read before the figures
      #   sections  [View::Section]
      #   version   of the mohs that made the document
      Page = Struct.new(:title, :subject, :headline, :why, :facts, :cautions, :sections, :version,
                        keyword_init: true) { include Value }

      # The end of a server's log: its variant and the lines that tell most.
      Log = Struct.new(:variant, :lines, keyword_init: true) { include Value }

      # A line beside the figures.
      #
      #   name     its name, text: what it says
      #   code     what it is about, where a renderer has to know; nil: it need not
      #   command  a Proposal that ends the text; nil: none
      #   with     key of the column that it explains: needless without that column
      #   without  keys of columns of which it gives the contents: needless with these
      #   rows     names of rows whose notes say the same: needless if these can be read whole
      Remark = Struct.new(:name, :text, :code, :command, :with, :without, :rows,
                          keyword_init: true) do
        include Value

        # Whether it says something that a table with all columns and notes doesn't.
        #: () -> bool
        def needed? = without.nil? && rows.nil?
      end

      # A table.
      #
      #   key          what it is about
      #   columns      [Column]
      #   rows         [Row]
      #   least_first  groups of keys of columns, in the order in which a narrow renderer leaves
      #                them out; NAMES stands where it shortens names first
      #   above        lines that belong directly above it
      #   caption      what it contains, in a sentence; nil: its columns say so
      #   remarks      [Remark] that belong directly below it
      #   detail       whether it says more about another table: a renderer may fold it
      #   runs_on      whether its lines run on where they don't fit: their ends say most
      Table = Struct.new(:key, :columns, :rows, :least_first, :above, :caption, :remarks, :detail,
                         :runs_on, keyword_init: true) do
        include Value

        # Lists of texts of equal length; the first has the titles. A row's note is its last text.
        #: () -> Array[Array[String]]
        def texts = [columns.map(&:title), *rows.map { |row| row.texts(columns) }]
      end

      #   title   above the column; may be empty
      #   name    what it contains, where the title says too little: in a list of columns
      #   figure  whether it contains figures, which end below each other
      #   names   whether its texts are names, which may be shortened
      #   marks   whether its texts are letters, of which each may have a place of its own
      Column = Struct.new(:key, :title, :name, :figure, :names, :marks, keyword_init: true) do
        include Value

        #: () -> String
        def called = name || title
      end

      # cells: key of a column => Cell; one that is missing is empty. note: a text in place of all
      # cells but the first. part: whether it is a part of a row above it.
      Row = Struct.new(:cells, :note, :part, keyword_init: true) do
        include Value

        #: (Symbol) -> View::Cell
        def [](key) = cells.fetch(key, Cell::EMPTY)

        #: (Array[View::Column]) -> Array[String]
        def texts(columns)
          texts = columns.map { |column| self[column.key].whole }
          note ? [texts.first, *Array.new([texts.size - 2, 0].max, ""), note] : texts
        end
      end

      #   text   what a person reads, with its unit
      #   aside  what belongs to it but stands beside it: half of its interval
      #   value  the number behind the text; nil if it is none
      #   tone   of an outcome (Report::Tone), which a renderer may colour; nil: it is none
      Cell = Struct.new(:text, :aside, :value, :tone, keyword_init: true) do
        include Value

        #: () -> String
        def whole = [text, *aside].join(" ").strip
      end

      class Table
        # In least_first: here names are shortened.
        NAMES = :names
      end

      class Cell
        EMPTY = new(text: "")
        # Of a figure that there is none of: a table has a dash, a list leaves it out.
        ABSENT = new(text: Numbers::NONE)
      end
    end
  end
end
