# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # A history as on its own page, in a metric that can be chosen, with links to its runs.
      class History < Track::Section
        include Controls

        #: () -> untyped
        def content = [metrics, *super]

        private

        def metrics
          names = Analysis::Metric::ALL.to_h { |metric| [metric.name, metric.title] }
          element(:form, field("metric", choice("metric", names, @document[:metric][:name])),
                  button("Show"), method: "get", class: "filters")
        end

        def run(key) = run_link(key)
      end
    end
  end
end
