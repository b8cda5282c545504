# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # The published studies, each with its newest run. document: { studies: } of Results#studies.
      class Studies < View
        ID = "studies"
        TITLE = "Published, and reproduced here"
        HOW = "Each shows what its source published and, if it has a run, what was measured here."
        HEAD = ["study", "title", "source", "claims", "newest run", "measured"].freeze

        #: () -> untyped
        def content
          table("Studies", HEAD, @document[:studies].map { |study| row(study) }, figures: 3..3)
        end

        private

        def row(study)
          publication = study[:publication]
          name = link(study[:name], "/studies/#{Page.segment(study[:name])}")
          return [name, study[:error], "", "", "", ""] unless publication

          run = study[:run]
          claims = publication.claims.size
          [name, publication.title, publication.source.to_s, [claims.to_s, claims],
           run ? run_link(run.key, run.label) : element(:span, "none yet"),
           run ? moment(run.created_ms) : DASH]
        end
      end
    end
  end
end
