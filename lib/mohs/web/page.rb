# frozen_string_literal: true

module Mohs
  class Web
    # A page of the dashboard: the parts around the sections that all pages share, in the look of
    # result pages (Report::Html). It is made of elements alone, so that foreign text stays text.
    class Page
      ASSETS = File.join(__dir__, "assets")
      STYLE = (Report::Html::STYLE + File.read(File.join(ASSETS, "web.css"), encoding: "UTF-8"))
              .freeze
      SCRIPTS = [Report::Html::SCRIPT,
                 File.read(File.join(ASSETS, "live.js"), encoding: "UTF-8").freeze].freeze

      # What a browser may do with a page: use its own style and scripts, and this server's events
      # and forms.
      POLICY = "default-src 'none'; style-src #{Report::Html.source(STYLE)}; " \
               "script-src #{SCRIPTS.map { |text| Report::Html.source(text) }.join(' ')}; " \
               "connect-src 'self'; form-action 'self'; base-uri 'none'; " \
               "frame-ancestors 'none'".freeze

      # The navigation: [[title, path], ...].
      PLACES = [["Runs", "/"], ["Histories", "/histories"], ["Studies", "/studies"]].freeze

      class << self
        # The dashboard's navigation, followed by links of this page: [[title, path], ...].
        #: (?Array[[String, String]], ?here: String?) -> Report::Html::Markup::Element
        def navigation(links = [], here: nil)
          items = [*PLACES, *links].map do |title, path|
            element(:li, element(:a, title, href: path, "aria-current": path == here && "page"))
          end
          element(:nav, element(:ul, items), "aria-label": "mohs", class: "web")
        end

        # A text as a segment of a path.
        #: (String) -> String
        def segment(text) = URI.encode_www_form_component(text).gsub("+", "%20")

        # A path with its query; nil parts are left out.
        #: (String, **untyped) -> String
        def path(path, **query)
          given = query.compact
          given.empty? ? path : "#{path}?#{URI.encode_www_form(given)}"
        end

        private

        def element(...) = Report::Html::Markup.element(...)
      end

      # sections: Report::Html::Section objects, or elements. links: those of this page. here: its
      # path.
      #: (String, Array[untyped], ?intro: untyped, ?links: Array[[String, String]], ?here: String?) -> void
      def initialize(title, sections, intro: nil, links: [], here: nil)
        @title = title
        @sections = sections
        @intro = intro
        @links = links
        @here = here
      end

      #: () -> String
      def to_s
        html = element(:html, element(:head, head), "\n", element(:body, body), "\n", lang: "en")
        "<!DOCTYPE html>\n#{Report::Html::Markup.write(html)}\n"
      end

      private

      def element(...) = Report::Html::Markup.element(...)

      def raw(text) = Report::Html::Markup::Raw.new(text)

      def head
        [element(:meta, charset: "utf-8"),
         element(:meta, name: "viewport", content: "width=device-width, initial-scale=1"),
         element(:meta, name: "color-scheme", content: "light dark"),
         element(:title, "#{@title} · mohs"), element(:style, raw(STYLE))]
      end

      def body
        [element(:a, "Skip to the content", href: "#main", class: "skip"),
         self.class.navigation(@links, here: @here), "\n",
         element(:header, element(:h1, @title), (element(:p, @intro, class: "why") if @intro)),
         element(:main, @sections.map { |one| [shown(one), "\n"] }, id: "main"), "\n",
         element(:footer, "mohs #{VERSION} on this machine."), "\n",
         SCRIPTS.map { |text| element(:script, raw(text)) }]
      end

      def shown(one) = one.is_a?(Report::Html::Section) ? one.to_element : one
    end
  end
end
