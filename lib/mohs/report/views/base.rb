# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # Builds a View from a document. A subclass has the KIND of its documents, by its name in
      # docs/json.md, and defines the parts that they have.
      class Base
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
        # Title of the table of all rows, and what to know of their figures; nil: nothing.
        ROWS = ["All variants", nil].freeze
        # Whether all rows were loaded alike, so that their curves can be drawn in one picture.
        ALIKE = true
        # Whether the rows' verdicts are drawn; false: a section of its own draws what decides.
        EFFECTS = true
        # Whether its remarks are nowhere else on its page.
        REMARKED = false

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

        private

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

        # The command that prints this document of the run again.
        def show
          own = Procedure.parts("command_line").flat_map { |one| one.shown(@document) }
          Shell.command(["mohs", "show", @document[:run], *own])
        end

        def say(code, **values) = Render.text(code, **values)

        def remark(name, text, **options) = View::Remark.new(name:, text:, **options)

        def column(key, title, **options) = View::Column.new(key:, title:, **options)

        def cell(text, **options) = View::Cell.new(text: text.to_s, **options)

        # "1 234"; a dash for nil.
        def whole(value) = cell(Numbers.whole(value), value:)

        # "1.23"; a dash for nil.
        def figure(value) = cell(Numbers.figure(value), value:)

        # A table of these columns. Each of the rows is a View::Row, or a hash of its cells; cells
        # without a column are left out.
        def table(key, columns, rows, least_first: [], above: [], caption: nil, runs_on: false)
          keys = columns.map(&:key)
          rows = rows.map do |row|
            given = row.is_a?(Hash) ? { cells: row } : row.to_h
            View::Row.new(**given, cells: given[:cells].slice(*keys))
          end
          View::Table.new(key:, columns:, rows:, least_first:, above:, caption:, runs_on:)
        end

        # What to measure next: none or one.
        def suggestions
          @document[:next].to_a.map do |one|
            hint = " (#{one[:hint]})" if one[:hint]
            remark("next", "#{one[:what]}: #{one[:command]}#{hint}", code: :next)
          end
        end

        def notes
          @document[:notes].to_a.map { |one| remark(*one.values_at(:name, :text), code: :note) }
        end

        # Self-checks that did not pass.
        def failed_checks
          failed = @document[:checks].reject { |check| check[:ok] }
          failed.map { |check| remark(check[:name].tr("_", " "), check[:detail], code: :check) }
        end
      end
    end
  end
end
