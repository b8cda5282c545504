# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The head of the page: the answer in one sentence, by how much, how sure and at what cost,
      # all on the first screen.
      class Answer
        #: (Hash[Symbol, untyped], Report::View) -> void
        def initialize(document, view)
          @document = document
          @view = view
        end

        # The title of the browser window.
        #: () -> String
        def title
          what = [@document.values_at(:name, :track, :app, :server).compact.first,
                  *(@document[:run] && "run #{@document[:run]}")]
          ["mohs #{@document[:command]}", *what].compact.join(" · ")
        end

        #: () -> Markup::Element
        def to_element
          element(:header, element(:p, subject, class: "subject"),
                  element(:h1, sentence, id: "answer"), (element(:p, why, class: "why") if why),
                  facts, caution)
        end

        private

        def element(...) = Markup.element(...)

        def subject
          name = @document[:name] || @document[:track]
          ["mohs #{@document[:command]}", *(name unless name == @document[:app]), *@view.subject]
            .join(" · ")
        end

        def sentence
          return @document.dig(:error, :message).to_s if @document[:error]
          return @view.headline unless @view.headline.empty?

          "A document of mohs #{@document[:command]}, whose answer has no sentence."
        end

        def why = @view.why && "Why: #{@view.why}."

        def facts
          return if @view.facts.empty?

          items = @view.facts.map do |term, texts|
            lines = texts.map { |line| element(:span, line) }
            element(:div, element(:dt, term), element(:dd, lines))
          end
          element(:dl, items, class: "facts")
        end

        # What makes the figures doubtful is shown beside them.
        def caution
          bad = @document.dig(:host, :against).to_a.select { |one| one[:level] == "bad" }
          texts = [*stopped, *@document[:warnings].to_a.map { |one| one[:text] },
                   *bad.map { |one| "#{one[:label]}: #{one[:detail]}" }]
          element(:ul, texts.map { |one| element(:li, one) }, class: "caution") if texts.any?
        end

        def stopped
          state = @document[:state]
          "The run is #{state}: this is what was measured until then." if
            state && state != "finished"
        end
      end
    end
  end
end
