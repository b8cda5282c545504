# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # A page of the list of runs, with its filters.
      class Runs < View
        ID = "runs"
        TITLE = "Newest first"
        HEAD = %w[run answer app started took state].freeze
        # Most variants that are named.
        SHOWN = 3

        #: () -> untyped
        def content = [filters, list, pages]

        private

        def filters
          apps = { "" => "all" }
          @document[:apps].each { |path| apps[path] = File.basename(path) }
          states = { "" => "all" }
          Results::STATES.each { |name| states[name] = name }
          element(:form, field("application", choice("app", apps, @document[:app])),
                  field("state", choice("state", states, @document[:state])), button("Show"),
                  method: "get", class: "filters")
        end

        def list
          return element(:p, none) if @document[:runs].empty?

          table("#{Report::Numbers.counted(@document[:count], 'run')}", HEAD,
                @document[:runs].map { |run| row(run) }, figures: 4..4)
        end

        def none
          return "No such run." if @document[:app] || @document[:state]

          "No runs yet. In the folder of an application, type: mohs"
        end

        def row(run)
          name = [run_link(run[:run], run[:label]), (" (#{run[:run]})" if run[:label])]
          [element(:span, name), answer(run), File.basename(run[:app].to_s),
           moment(run[:created_ms]),
           run[:seconds] ? [Report::Numbers.duration(run[:seconds]), run[:seconds]] : DASH,
           state(run[:state])]
        end

        # The answer with the variants, as the answer need not name them all.
        def answer(run)
          variants = Wording.few(run[:variants], SHOWN, separator: " · ")
          element(:div, (element(:p, run[:answer], class: "answer") if run[:answer]),
                  element(:p, variants, class: "variants"))
        end

        def pages
          page, pages = @document.values_at(:page, :pages)
          return if pages < 2

          element(:p, (page_link("Newer", page - 1) if page > 1), " Page #{page} of #{pages} ",
                  (page_link("Older", page + 1) if page < pages), class: "pages")
        end

        def page_link(text, page)
          link(text, Page.path("/", app: @document[:app], state: @document[:state], page:))
        end
      end
    end
  end
end
