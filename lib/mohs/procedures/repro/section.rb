# frozen_string_literal: true

module Mohs
  module Repro
    # The claims of a published study: published and measured figures side by side, with the
    # judgement.
    class Section < Report::Sections::Base
      KEY = "claims"
      TITLE = "Published and measured"
      HOW = "A diamond is the published ratio, the shaded bar what the claim allows; the other " \
            "mark is ours, its line the 95 % interval. A full disc agrees, a cross is " \
            "contradicted; a hollow disc is undecided, or agrees in part. What was not measured " \
            "has no mark of ours."
      # Kinds whose figures are ratios.
      RATIOS = %w[ratio order equal bound].freeze

      # Published and measured ratios with their intervals; nil if no claim has one.
      #: () -> Report::View::Section::Intervals?
      def picture
        return unless how

        points = claims.zip(view.table(:claims).rows).select { |claim, _| drawn?(claim) }
                       .map { |claim, row| point(claim, row) }
        Parts::Intervals.new(key: "plot", title: "Claims: published and measured",
                             text: spoken(points), points:)
      end

      private

      def any? = @document[:claims].to_a.any?

      def parts = [setting, picture, list, overheads, variants, source]

      def how = (HOW if claims.any? { |claim| drawn?(claim) })

      # What was run there and here.
      def setting
        table = view.table(:setting) or return
        shown(table, "What was run")
      end

      def claims = @document[:claims]

      def drawn?(claim) = RATIOS.include?(claim[:kind]) && (claim[:value] || claim[:published])

      def point(claim, row)
        outcome = Outcomes::WORDS.fetch(claim[:judgement], claim[:judgement])
        { name: claim[:text], text: "#{row[:here].text} · #{outcome}",
          tone: Outcomes.tone(claim[:judgement]), shape: shape(claim), value: claim[:value],
          ends: claim[:interval], reference: claim[:published], reference_text: reference(claim),
          range: claim[:range].to_h.values_at(:low, :high) }
      end

      def shape(claim) = claim[:judgement] == Judge::CONTRADICTED ? :cross : :disc

      def reference(claim)
        "published #{Report::Numbers.signed(claim[:published])}" if claim[:published]
      end

      def list
        shown(view.table(:claims),
              "Every claim (place in the source); * is a central claim, tested more strictly")
      end

      def overheads
        table = view.table(:overheads) or return
        shown(table, "Overheads: #{table.caption}", figures: %i[value interval])
      end

      def variants
        table = view.table(:variants) or return
        shown(table, "What the names of variants stand for")
      end

      def source
        source = @document[:source].to_h
        address = source[:address]
        words = [source[:authors].to_a.join(", "), source[:year],
                 source[:title]].compact.join(". ")
        differs = ". What differs here: #{@document[:notes]}" if @document[:notes].is_a?(String)
        paragraph("Source: #{words}", *(address && [". ", word(address, :address)]), differs)
      end
    end
  end
end
