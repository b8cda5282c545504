# frozen_string_literal: true

module Mohs
  class Web
    # The parts of pages, one class each, made from documents of Results: sections like those of a
    # result's page, with the same tables and pictures.
    module Views
      # Links and controls, which only served pages have.
      module Controls
        private

        def link(text, path) = element(:a, text, href: path)

        def run_link(key, label = nil) = link(label || key, "/runs/#{key}")

        # A control with its label.
        def field(text, control) = element(:label, element(:span, text), control)

        # options: { value => text }. chosen: the selected value.
        def choice(name, options, chosen)
          items = options.map do |value, text|
            element(:option, text, value: value.to_s, selected: value.to_s == chosen.to_s)
          end
          element(:select, items, name:)
        end

        # The fields that prove that a form is from this page. The next method shows why it was
        # refused, if it was.
        def hidden
          @document[:csrf].map do |name, token|
            element(:input, type: "hidden", name:, value: token)
          end
        end

        def refusal = (element(:p, @document[:error], class: "caution") if @document[:error])

        def button(text, kind = nil) = element(:button, text, type: "submit", class: kind)
      end

      # What several views share.
      class View < Report::Html::Section
        include Controls

        ID = "list"
        TITLE = ""
        DASH = Report::Numbers::NONE

        # document: what it shows.
        #: (Hash[Symbol, untyped]) -> void
        def initialize(document)
          super()
          @document = document
        end

        #: () -> bool
        def any? = true

        private

        # A table cell: a time, and the value to sort it by.
        def moment(at_ms)
          at_ms ? [Report::Numbers.minute(at_ms), at_ms] : DASH
        end

        def state(name) = element(:span, name, class: "word state-#{name[/\A[a-z]+\z/]}")
      end
    end
  end
end
