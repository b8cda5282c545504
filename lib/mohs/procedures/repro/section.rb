# frozen_string_literal: true

module Mohs
  module Repro
    # The claims of a published study: published and measured figures side by side, with the
    # judgement.
    class Section < Report::Html::Section
      ID = "claims"
      TITLE = "Published and measured"
      HOW = "A diamond is the published ratio, the shaded bar what the claim allows; the other " \
            "mark is ours, its line the 95 % interval. A full disc agrees, a cross is " \
            "contradicted; a hollow disc is undecided, or agrees in part. What was not measured " \
            "has no mark of ours."
      HEAD = %w[claim published here judgement].freeze
      # Kinds whose figures are ratios.
      RATIOS = %w[ratio order equal bound].freeze

      #: () -> bool
      def any? = @document[:claims].to_a.any?

      #: () -> untyped
      def content = [setting, picture, list, overheads, variants, source]

      # Published and measured ratios with their intervals; nil if no claim has one.
      #: () -> Report::Html::Markup::Element?
      def picture
        return unless how

        points = claims.zip(cells).select { |claim, _| drawn?(claim) }.map { |pair| point(*pair) }
        intervals = Report::Html::Intervals.new(points, margin: nil)
        intervals.draw(plot("plot", title: "Claims: published and measured",
                                    text: spoken(points),
                                    height: intervals.height))
      end

      private

      def how = (HOW if claims.any? { |claim| drawn?(claim) })

      # What was run there and here.
      def setting
        table = view.table(:setting) or return
        table_of(table, "What was run", figures: [])
      end

      def claims = @document[:claims]

      def drawn?(claim) = RATIOS.include?(claim[:kind]) && (claim[:value] || claim[:published])

      # For each claim its text and place, published, here, judgement.
      def cells
        @cells ||= begin
          table = view.table(:claims)
          table.rows.map { |row| table.columns.map { |column| row[column.key] } }
        end
      end

      def point(claim, cells)
        outcome = Outcomes::WORDS.fetch(claim[:judgement], claim[:judgement])
        { name: claim[:text], text: "#{cells[2].text} · #{outcome}", outcome: claim[:judgement],
          value: claim[:value], ends: claim[:interval], published: claim[:published],
          range: claim[:range].to_h.values_at(:low, :high) }
      end

      def list
        lines = cells.zip(claims).map do |cells, claim|
          text, published, here, judgement = cells.map(&:whole)
          [text, published, here, element(:span, judgement, class: "j-#{claim[:judgement]}")]
        end
        table("Every claim (place in the source); * is a central claim, tested more strictly",
              HEAD, lines, figures: 9..)
      end

      def overheads
        table = view.table(:overheads) or return
        table_of(table, "Overheads: #{table.caption}", figures: %i[value interval])
      end

      def variants
        table = view.table(:variants) or return
        table_of(table, "What the names of variants stand for", figures: [])
      end

      def source
        source = @document[:source].to_h
        address = source[:address]
        words = [source[:authors].to_a.join(", "), source[:year],
                 source[:title]].compact.join(". ")
        element(:p, "Source: #{words}", *(address && [". ", element(:a, address, href: address)]),
                *(@document[:notes].is_a?(String) && ". What differs here: #{@document[:notes]}"))
      end
    end
  end
end
