# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # What a study published: its source, claims and figures, and how to measure it. document: of
      # Results#study.
      class Study < View
        ID = "study"
        TITLE = "As it was published"
        HEAD = %w[figure place value unit level].freeze

        #: () -> untyped
        def content
          return element(:p, @document[:error], class: "caution") unless publication

          measure = Report::Proposal.to("repro", @document[:name]).to_s
          [facts, setting, element(:p, "Measure it: ", element(:code, measure)),
           (claims unless @document[:run]), (figures if publication.figures.any?)]
        end

        private

        def publication = @document[:publication]

        def facts
          source = publication.source
          address = source.address && link(source.address, source.address)
          element(:dl, [["source", source.to_s], ["title", source.title], ["address", address]]
                       .filter_map { |name, text|
                         [element(:dt, name), element(:dd, text)] unless text.to_s.empty?
                       }, class: "pairs")
        end

        # What the source measured, and what is measured here; nil if the study does not say.
        def setting
          table = view.table(:setting) or return
          rows = table.rows.map { |row| %i[what there here].map { |key| row[key].whole } }
          table("What was run", ["", "in the source", "here"], rows, figures: 9..)
        end

        # If there is a run, claims are shown beside what was measured instead.
        def claims
          rows = view.table(:claims).rows.map do |row|
            [row[:claim].whole, row[:published].whole]
          end
          table("What it claims", ["claim (place)", "published"], rows, figures: 9..)
        end

        def view = @view ||= Report::Views.of(Repro::Document.published(publication))

        def figures
          rows = publication.figures.map do |one|
            [one.metric.to_s, one.place.to_s, one.value.to_s, one.unit.to_s, one.level.to_s]
          end
          folded("Its figures", table("Published figures", HEAD, rows, figures: 2..2))
        end
      end
    end
  end
end
