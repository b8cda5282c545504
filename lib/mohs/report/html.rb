# frozen_string_literal: true

require "digest"

module Mohs
  module Report
    # A result's document (docs/json.md) as one self-contained HTML page (docs/page.md), for light
    # and dark screens and for paper. It works without JavaScript, which only adds the readout under
    # the pointer and the sorting of tables. Rendered from the document alone; curves are drawn from
    # its key `curves`, if present.
    class Html
      ASSETS = File.join(__dir__, "html", "assets")
      STYLE, SCRIPT = %w[page.css page.js].map { |name|
        File.read(File.join(ASSETS, name), encoding: "UTF-8").freeze
      }.freeze

      # The source expression for a style or a script in a Content-Security-Policy.
      #: (String) -> String
      def self.source(text) = "'sha256-#{[Digest::SHA256.digest(text)].pack('m0')}'"

      # What a browser may do with the page: apply its own style and run its own script, no more.
      POLICY = "default-src 'none'; style-src #{source(STYLE)}; script-src #{source(SCRIPT)}; " \
               "base-uri 'none'; form-action 'none'".freeze

      # Texts are cut to this many characters: a longer one was made on purpose, and would be in the
      # page many times. Log tails are not cut here, as the page shows only their last lines.
      LONGEST = 1000

      # Adds the curves to a stored run's document, for a page about it. Reads the recordings of the
      # trials one by one.
      #: (Hash[Symbol, untyped], Analysis::Run, _Recordings) -> Hash[Symbol, untyped]
      def self.with_curves(document, run, store)
        return document unless run.result.curves?

        curves = Analysis::Curves.of_run(run) do |trial, fold|
          store.each_observations(trial.id) { |part| fold.add(part) }
        end
        { **document, curves: }
      end

      # above: elements that a served page has before the answer.
      #: (Hash[Symbol, untyped], ?above: untyped) -> void
      def initialize(document, above: nil)
        @above = above
        @page = Views.page(printable(document))
      end

      #: () -> String
      def to_s = "<!DOCTYPE html>\n#{Markup.write(page)}\n"

      private

      # The value with every text in valid UTF-8 and cut to LONGEST, before any section reads it.
      def printable(value, key = nil)
        case value
        when Hash then value.to_h { |name, item| [name, printable(item, name)] }
        when Array then value.map { |item| printable(item, key) }
        when String
          text = Printable.call(value)
          key == :log_tail ? text : Printable.cut(text, LONGEST)
        else value
        end
      end

      def element(...) = Markup.element(...)

      def page
        element(:html, "\n", element(:head, head), "\n", element(:body, body), "\n", lang: "en")
      end

      # The policy must come before the style and script that it governs.
      def head
        [element(:meta, charset: "utf-8"),
         element(:meta, "http-equiv": "Content-Security-Policy", content: POLICY),
         element(:meta, name: "viewport", content: "width=device-width, initial-scale=1"),
         element(:meta, name: "color-scheme", content: "light dark"),
         element(:meta, name: "referrer", content: "no-referrer"),
         element(:meta, name: "generator", content: "mohs #{@page.version}"),
         element(:title, @page.title), element(:style, Markup::Raw.new(STYLE))]
      end

      def body
        sections = @page.sections.map { |one| ViewSection.new(one) }
        [element(:a, "Skip to the result", href: "#answer", class: "skip"), "\n",
         @above, Answer.new(@page).to_element, "\n", contents(sections), "\n",
         element(:main, sections.map { |one| [one.to_element, "\n"] }), "\n",
         element(:footer, "Written by mohs #{@page.version}. It loads and sends nothing."), "\n",
         element(:script, Markup::Raw.new(SCRIPT))]
      end

      def contents(sections)
        return if sections.size < 2

        items = sections.map do |one|
          id, title = one.heading
          element(:li, element(:a, title, href: "##{id}"))
        end
        element(:nav, element(:ul, items), "aria-label": "Sections")
      end
    end
  end
end
