# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # The table of a run that is being measured, as the terminal prints it at the end. Its rows
      # are filled in by events with the same cells.
      class Live < View
        ID = "live"
        TITLE = "So far"
        HOW = "Rows fill in as rounds end. Without JavaScript, load the page again."

        # The data of an event: the sentence, the progress, the cells.
        #: () -> Hash[Symbol, untyped]
        def event = { sentence: sentence, progress:, cells: }

        #: () -> untyped
        def content
          [element(:p, sentence, id: "live-sentence"),
           element(:p, progress, id: "live-progress", class: "why", "aria-live": "polite"),
           element(:div, filled, id: "live-table",
                                 "data-events": "/runs/#{@document[:run]}/events")]
        end

        private

        def sentence = text(@document[:sentence])

        def progress
          done, planned = @document[:rounds].to_h.values_at(:done, :planned)
          counted = Report::Numbers.counted(planned.to_i, "round")
          Report::Views.kind(@document)::PLANNED ? "#{done} of #{counted} done" : "being measured"
        end

        # The texts of the rows; the first has the titles.
        def cells
          rows = Report::Views.of(@document).tables.first&.texts.to_a
          rows.map { |row| row.map { |cell| text(cell) } }
        end

        def text(text) = Printable.cut(Printable.call(text.to_s), Report::Html::LONGEST)

        def filled
          head, *rows = cells
          table("Variants", head.to_a, rows) if rows.any?
        end
      end
    end
  end
end
