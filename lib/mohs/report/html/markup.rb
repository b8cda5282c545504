# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Elements as data. A String is always text: it is made printable and escaped once, when the
      # page is written, so that foreign text never becomes markup. Only mohs' own code creates
      # Elements and Raws. The output is both HTML and well-formed XML.
      module Markup
        # A name, attributes { name => value } and children: texts, Elements, lists of these, nil.
        # Not a Struct: a splat would take it apart and write its parts as texts.
        class Element
          attr_reader :name, :attributes, :children

          #: (Symbol, Hash[Symbol, untyped], Array[untyped]) -> void
          def initialize(name, attributes, children)
            @name = name
            @attributes = attributes
            @children = children
          end
        end

        # Text that is written unescaped: mohs' own style and script.
        class Raw
          attr_reader :text

          #: (String) -> void
          def initialize(text)
            @text = text
          end
        end

        # Void elements of HTML, and SVG elements that never have content here.
        EMPTY = %i[meta br hr col input line rect circle path].freeze
        NAME = /\A[A-Za-z][A-Za-z0-9:-]*\z/
        # Attributes for handlers, styles, sources and form actions: the page's
        # Content-Security-Policy refuses what they do.
        FORBIDDEN = /\A(on.*|style|src|srcdoc|action|formaction)\z/i
        # A link leads to a place in the page, to another page of the same server, or to a web page.
        LINK = %r{\A(?:\#[\w-]+|
                       /(?:[\w.~%?&=;+:@,-][\w.~%?&=;+:@,/-]*)?(?:\#[\w.~%?&=;+:@,/-]*)?|
                       https?://\S+)\z}x
        ESCAPES = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;",
                    "'" => "&#39;" }.freeze
        # Characters that XML forbids, though UTF-8 can encode them.
        NO_XML = /[\u{FFFE}\u{FFFF}]/
        # Most characters of a text, including the last lines of a log.
        LONGEST = 4000

        module_function

        # An attribute that is nil or false is left out; true is written as the attribute's own
        # name.
        #: (Symbol, *untyped, **untyped) -> Markup::Element
        def element(name, *children, **attributes)
          [name, *attributes.keys].each do |one|
            raise ArgumentError, "#{one} is no name" unless NAME.match?(one)
          end
          forbidden = attributes.keys.find { |one| FORBIDDEN.match?(one) }
          raise ArgumentError, "#{forbidden} is not allowed" if forbidden

          Element.new(name, attributes, children)
        end

        # The CSS class of a tone (Report::Tone); nil without one.
        #: (Symbol?) -> String?
        def tone(tone) = tone && "t-#{tone}"

        #: (untyped) -> String
        def write(node) = written(node, +"")

        # Escapes a text for an element or an attribute.
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
