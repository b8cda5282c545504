# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # A section of a view: its parts one below the other.
      class ViewSection < Section
        PICTURES = { View::Section::Intervals => Intervals, View::Section::Dots => Dots,
                     View::Section::Chart => Chart, View::Section::Bars => Bars,
                     View::Section::Heat => Heat }.freeze
        WORDS = { name: :b, code: :code }.freeze

        #: (View::Section) -> void
        def initialize(section)
          super()
          @section = section
        end

        #: () -> bool
        def any? = true

        #: () -> Array[untyped]
        def content = @section.parts.map { |part| drawn(part) }

        private

        def id = @section.key

        def title = @section.title

        def how = @section.how

        def drawn(part)
          case part
          when String then element(:p, part)
          when View::Table then table_of(part)
          when View::Section::Fold then folded(part.summary, part.parts.map { |one| drawn(one) })
          when View::Section::Paragraph then element(:p, part.words.map { |one| word(one) })
          when View::Section::Heading then element(:h3, part.text)
          when View::Section::Lines then element(:pre, part.text)
          when View::Section::List
            element(:ul, part.texts.map { |text| element(:li, text) })
          when View::Section::Pairs then pairs(part.pairs)
          else PICTURES.fetch(part.class).new(part, id:).to_element
          end
        end

        def word(one)
          return one if one.is_a?(String)
          return element(:a, one.text, href: one.text) if one.kind == :address

          element(WORDS.fetch(one.kind), one.text)
        end

        def pairs(pairs)
          shown = pairs.reject { |_, text| text.nil? || text.empty? }
          items = shown.map do |name, text|
            words = text.is_a?(Array) ? text.map { |one| word(one) } : text
            [element(:dt, name), element(:dd, words)]
          end
          element(:dl, items, class: "pairs") if items.any?
        end
      end
    end
  end
end
