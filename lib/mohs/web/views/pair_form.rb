# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # A form to choose two variants of a run. document: { names:, a:, b: }.
      class PairForm < View
        ID = "pair"
        TITLE = "Which two"

        #: () -> untyped
        def content
          names = @document[:names].to_h { |name| [name, name] }
          element(:form, field("A", choice("a", names, @document[:a])),
                  field("B", choice("b", names, @document[:b])), button("Compare"),
                  method: "get", class: "filters")
        end
      end
    end
  end
end
