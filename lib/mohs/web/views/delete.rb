# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # Asks before a run is deleted. document: { run:, what:, csrf: { field => token }, error: }.
      class Delete < View
        ID = "delete"
        TITLE = "Delete this run?"
        HOW = "This deletes its figures, its logs and every recorded request, and can't be " \
              "undone. Points of histories stay."

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
