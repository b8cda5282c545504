# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Elements as data. A String is always text: it is made printable and escaped once, when the
      # page is written, so that no text of others becomes markup. Only what this room made is an
      # Element or a Raw. What is written is HTML and well-formed XML at once.
      module Markup
        # A name, attributes { name => value } and children: texts, Elements, lists of these, nil.
        # No Struct: a splat would take it apart, and show its parts as texts.
        class Element
          attr_reader :name, :attributes, :children

          #: (Symbol, Hash[Symbol, untyped], Array[untyped]) -> void
          def initialize(name, attributes, children)
            @name = name
            @attributes = attributes
            @children = children
          end
        end

        # Written as it is: our own style and script.
        class Raw
          attr_reader :text

          #: (String) -> void
          def initialize(text)
            @text = text
          end
        end

        # Those that HTML ends by themselves, and those of SVG that never have content here.
        EMPTY = %i[meta br hr col input line rect circle path].freeze
        NAME = /\A[A-Za-z][A-Za-z0-9:-]*\z/
        # No handler, and no style: the page's Content-Security-Policy refuses both.
        FORBIDDEN = /\A(on.*|style|src|srcdoc|action|formaction)\z/i
        # A link leads into the page, to another one of the same server, or to a web page.
        LINK = %r{\A(?:\#[\w-]+|
                       /(?:[\w.~%?&=;+:@,-][\w.~%?&=;+:@,/-]*)?(?:\#[\w.~%?&=;+:@,/-]*)?|
                       https?://\S+)\z}x
        ESCAPES = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;",
                    "'" => "&#39;" }.freeze
        # XML has no such characters, though UTF-8 does.
        NO_XML = /[\u{FFFE}\u{FFFF}]/
        # Characters of a text, the last lines of a log among them.
        LONGEST = 4000

        module_function

        # An attribute that is nil is left out; true is written as its own name.
        #: (Symbol, *untyped, **untyped) -> Markup::Element
        def element(name, *children, **attributes)
          [name, *attributes.keys].each do |one|
            raise ArgumentError, "#{one} is no name" unless NAME.match?(one)
          end
          forbidden = attributes.keys.find { |one| FORBIDDEN.match?(one) }
          raise ArgumentError, "#{forbidden} is not allowed" if forbidden

          Element.new(name, attributes, children)
        end

        #: (untyped) -> String
        def write(node) = written(node, +"")

        # As text of an element or of an attribute.
        #: (untyped) -> String
        def escape(text)
          Printable.call(text.to_s).gsub(NO_XML, "?").gsub(/[&<>"']/, ESCAPES)
        end

        def written(node, out)
          case node
          when Array then node.each { |one| written(one, out) }
          when Element then element_written(node, out)
          when Raw then out << node.text
          else out << escape(Printable.cut(valid(node.to_s), LONGEST)) if node
          end
          out
        end

        def valid(text) = text.valid_encoding? ? text : text.scrub("?")

        def element_written(node, out)
          out << "<" << node.name.to_s
          node.attributes.each { |name, value| attribute_written(name, value, out) }
          return out << " />" if EMPTY.include?(node.name)

          out << ">"
          written(node.children, out)
          out << "</" << node.name.to_s << ">"
        end

        def attribute_written(name, value, out)
          return if value.nil? || value == false
          return if name == :href && !LINK.match?(value)

          out << " " << name.to_s << '="' << (value == true ? name.to_s : escape(value)) << '"'
        end

        private_class_method :valid, :written, :element_written, :attribute_written
      end
    end
  end
end
