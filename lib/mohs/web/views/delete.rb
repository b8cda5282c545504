# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # Asks before a run is deleted. document: { run:, what:, csrf: { field => token }, error: }.
      class Delete < View
        ID = "delete"
        TITLE = "Delete it for good?"
        HOW = "Its figures, its logs and every recorded request are gone then; points of " \
              "histories stay. Nothing brings it back."

        #: () -> untyped
        def content
          [refusal,
           element(:p, @document[:what]),
           element(:form, hidden, button("Delete run #{@document[:run]}", "danger"),
                   " ", run_link(@document[:run], "Keep it"), method: "post", class: "filters")]
        end
      end
    end
  end
end
