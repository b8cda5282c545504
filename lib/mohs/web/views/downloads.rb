# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # The formats in which a run can be downloaded. document: { run:, formats: [[name, help]] }.
      class Downloads < View
        ID = "downloads"
        TITLE = "Files"

        #: () -> untyped
        def content
          rows = @document[:formats].map do |name, help|
            [link(name, "/runs/#{@document[:run]}/download/#{name}"), help]
          end
          table("Formats of this run", %w[format what], rows, figures: 9..)
        end
      end
    end
  end
end
