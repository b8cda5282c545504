# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The head of the page: the answer in one sentence, by how much, how sure and at what cost,
      # all on the first screen.
      class Answer
        #: (Report::View::Page) -> void
        def initialize(page)
          @page = page
        end

        #: () -> Markup::Element
        def to_element
          element(:header, element(:p, @page.subject, class: "subject"),
                  element(:h1, @page.headline, id: "answer"),
                  (element(:p, "Why: #{@page.why}.", class: "why") if @page.why), facts,
                  cautions)
        end

        private

        def element(...) = Markup.element(...)

        def facts
          return if @page.facts.empty?

          items = @page.facts.map do |term, texts|
            lines = texts.map { |line| element(:span, line) }
            element(:div, element(:dt, term), element(:dd, lines))
          end
          element(:dl, items, class: "facts")
        end

        # What makes the figures doubtful is shown beside them.
        def cautions
          items = @page.cautions.map { |one| element(:li, one) }
          element(:ul, items, class: "caution") if items.any?
        end
      end
    end
  end
end
