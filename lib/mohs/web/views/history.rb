# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # A history as on its own page, in a metric that can be chosen, with links to its runs.
      class History < Report::Html::ViewSection
        include Controls

        # document: as of Results#history.
        #: (Hash[Symbol, untyped]) -> void
        def initialize(document)
          super(Track::Section.new(document).to_section)
          @document = document
        end

        #: () -> untyped
        def content = [metrics, *super]

        private

        def metrics
          names = Track::Result::METRICS.to_h { |metric| [metric.name, metric.title] }
          element(:form, field("metric", choice("metric", names, @document[:metric][:name])),
                  button("Show"), method: "get", class: "filters")
        end

        def cell_of(column, cell) = column.key == :run ? run_link(cell.text) : super
      end
    end
  end
end
