# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # The profiles of a run, each in the viewer and as a file. document: { run:, variants: [name]
      # }.
      class Profiles < View
        ID = "profiles"
        TITLE = "Profiles"
        HOW = "All samples of the last boot of each variant: time on a core, and time that " \
              "requests waited. Open one in speedscope, which needs JavaScript, or take the file."

        #: () -> untyped
        def content
          names = @document[:variants]
          return element(:p, "This run has none: add profile: true to its study.") if names.empty?

          rows = names.each_with_index.map do |name, index|
            path = "/runs/#{@document[:run]}/profiles/#{index}"
            [name, link("open", Speedscope.address(path, title: name)), link("file", path)]
          end
          table("Profiles of this run", ["variant", "in speedscope", ""], rows, figures: 9..)
        end

        private

        def how = @document[:variants].empty? ? nil : HOW
      end
    end
  end
end
