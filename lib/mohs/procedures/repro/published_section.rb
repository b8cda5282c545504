# frozen_string_literal: true

module Mohs
  module Repro
    # What a study published: its source, what was run there, its claims and figures, and how to
    # measure it. document: Repro::Document.published.
    class PublishedSection < Report::Sections::Base
      KEY = "study"
      TITLE = "As it was published"
      # Of a claim, what its source says.
      COLUMNS = %i[claim published].freeze
      FIGURE = %w[figure place value unit level].freeze

      # claims: whether they are listed; not beside a page that has them with what was measured.
      #: (Hash[Symbol, untyped], ?claims: bool) -> void
      def initialize(document, claims: true)
        super(document)
        @claims = claims
      end

      private

      def any? = true

      def parts = [source, setting, measure, (claims if @claims), figures]

      def source
        source = Source.new(**@document[:source])
        address = source.address && [word(source.address, :address)]
        pairs([["source", source.to_s], ["title", source.title], ["address", address]])
      end

      # nil if the study does not say.
      def setting
        table = view.table(:setting) or return
        shown(table, "What was run")
      end

      def measure
        command = Report::Proposal.to(Document::COMMAND, @document[:name])
        paragraph("Measure it: ", word(command.to_s, :code))
      end

      def claims
        table = view.table(:claims)
        columns = table.columns.select { |one| COLUMNS.include?(one.key) }
        shown(Report::View::Table.new(**table.to_h, columns:), "What it claims")
      end

      def figures
        rows = @document[:figures].map do |one|
          metric, place, value, unit, level = one.values_at(:metric, :place, :value, :unit, :level)
          [metric, place, cell(Report::Numbers.trimmed(value.to_s), value:), unit, level]
        end
        return if rows.empty?

        folded("Its figures", listed("Published figures", FIGURE, rows, figures: 2..2))
      end
    end
  end
end
