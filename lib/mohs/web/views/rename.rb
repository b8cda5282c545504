# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # Gives a run a name beside its key. document: { label:, csrf: { field => token }, error: }.
      class Rename < View
        ID = "rename"
        TITLE = "Name this run"
        HOW = "Its key stays the same. Leave the name empty to remove it."

        #: () -> untyped
        def content
          input = element(:input, type: "text", name: "label", value: @document[:label].to_s,
                                  maxlength: Results::LONGEST_LABEL.to_s)
          [refusal,
           element(:form, hidden, field("name", input), button("Save"), method: "post",
                                                                        class: "filters")]
        end
      end
    end
  end
end
