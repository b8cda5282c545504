# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # Builds a View from a document. A subclass has the KIND of its documents, by its name in
      # docs/json.md, and defines the parts that they have.
      class Base
        include Cells

        # Of documents that have no table: mistakes, or those of a later mohs.
        KIND = "other"
        # Why not every format can write such documents; nil: every format can, as they have a row
        # for each variant.
        LACKS = nil
        # Whether they are about measurements, so that formats write them.
        MEASURED = true
        # Other documents of its command, which are no results, such as lists: their kinds, by a key
        # that only they have.
        LISTS = {}.freeze
        # Whether the number of its rounds is planned.
        PLANNED = false
        # The sections of its page (Sections::Base), in their order.
        SECTIONS = [Sections::Checks, Sections::Provenance].freeze

        # Is it the view of this document? Not if a view that inherits from it is: for each document
        # one view answers at most.
        #: (Hash[Symbol, untyped]) -> bool
        def self.of?(document)
          document[:command] == self::KIND &&
            Procedure.parts("view").none? { |one| one < self && one.of?(document) }
        end

        #: (Hash[Symbol, untyped]) -> void
        def initialize(document)
          @document = document
        end

        #: () -> Report::View
        def to_view
          View.new(kind: self.class::KIND, subject:, headline:, why:, basis:, facts: known_facts,
                   cautions:, tables:, pictures:, remarks:, next: next_lines, log:, others:)
        end

        #: () -> Report::View::Page
        def to_page
          view = to_view
          sections = self.class::SECTIONS.filter_map { |one| one.new(@document, view).to_section }
          View::Page.new(title:, subject: of_page(view), headline: answer(view),
                         why: view.why, facts: view.facts,
                         cautions: doubts(view), sections:, version: @document[:mohs])
        end

        private

        # What the measurement is called; nil: it has no name of its own.
        def own_name = nil

        # What was measured, in a word or two.
        def called = own_name || @document[:app]

        def command = "mohs #{@document[:command]}"

        def title
          [command, *called, *(@document[:run] && "run #{@document[:run]}")].join(" · ")
        end

        def of_page(view)
          [command, *(own_name unless own_name == @document[:app]), *view.subject].join(" · ")
        end

        def answer(view)
          return @document.dig(:error, :message).to_s if @document[:error]
          return view.headline unless view.headline.empty?

          "A document of #{command}, whose answer has no sentence."
        end

        # What makes the figures doubtful.
        def doubts(view)
          bad = @document.dig(:host, :against).to_a.select { |one| one[:level] == "bad" }
          [*unfinished, *view.cautions.map(&:text),
           *bad.map { |one| "#{one[:label]}: #{one[:detail]}" }]
        end

        def unfinished
          state = @document[:state]
          "The run is #{state}: this is what was measured until then." if
            state && state != "finished"
        end

        def subject
          text = Subject.of(@document)
          text unless text.empty?
        end

        def headline = @document[:sentence].to_s

        def why = nil

        # So many of the planned rounds, if there are any.
        def basis
          done, planned = @document[:rounds].to_h.values_at(:done, :planned)
          "#{done} of #{Numbers.counted(planned, 'round')}" if done && planned
        end

        # [[term, text or texts, nil if unknown], ...]
        def facts = []

        def known_facts
          facts.map { |term, texts| [term, [*texts]] }.reject { |_, texts| texts.empty? }
        end

        def cautions = []

        def tables = []

        def pictures = {}

        def remarks = []

        def next_lines = suggestions

        def log = nil

        def others = []

        # The command that prints a document of the run, and what it prints; without settings, this
        # document.
        def show(text, **settings)
          own = Procedure.parts("command_line").map { |one| one.shown(@document) }
          run, settings = @document[:run], own.reduce(settings, :merge)
          remark("run", "#{run} · #{text}:", command: Proposal.to("show", run, **settings))
        end

        # How to go on with a run that was stopped, after these texts; nil if it was not.
        def stopped(*texts)
          return if %w[finished running].include?(@document[:state])

          remark("stopped", [*texts, "continue:"].join(" · "),
                 command: Proposal.to("resume", @document[:run]))
        end

        def say(code, **values) = Render.text(code, **values)

        def remark(name, text, **options) = View::Remark.new(name:, text:, **options)

        # What to try against the reason that the sentence gives; nil if nothing is known to help.
        def cure(remedy) = (remark("next", remedy) if remedy)

        # What to measure next: none or one.
        def suggestions
          @document[:next].to_a.map do |one|
            remark("next", "#{one[:what]}:", command: Proposal.of(one[:invocation]), code: :next)
          end
        end

        def notes
          @document[:notes].to_a.map { |one| remark(*one.values_at(:name, :text), code: :note) }
        end
      end
    end
  end
end
