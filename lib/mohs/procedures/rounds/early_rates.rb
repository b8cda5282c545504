# frozen_string_literal: true

module Mohs
  module Rounds
    # Figures of a cohort's variants that have no interval yet, for people who wait: figures
    # exist after the first round, a comparison only after the third.
    class EarlyRates
      #: (Hash[Symbol, untyped], Array[String]) -> void
      def initialize(document, variants)
        @document = document
        rows = document[:rows].select { |row| row[:state] == "measured" }
        base, others = rows.partition { |row| row[:baseline] }
        early, compared = others.partition { |row| early?(row[:verdict]) }
        @compared = compared.any?
        @early = early.select { |row| variants.include?(row[:variant]) }
        @shown = (@early + base).sort_by { |row| -rate(row).to_f }
      end

      # True if no interval is pending: all variants have one, or only the baseline was
      # measured.
      #: () -> bool
      def none? = @early.empty?

      # Whether any variant of the run has an interval.
      #: () -> bool
      def compared? = @compared

      # "1 round, no interval yet: 3.4.5 1 241/s (boot 301 ms) · 3.1.2 1 204/s (boot 296 ms)",
      # the fastest first.
      #: () -> String
      def to_s
        rounds = @early.map { |row| row[:trials][:measured] }.max
        figures = @shown.map { |row| figures(row) }.join(" · ")
        "#{Report::Numbers.counted(rounds, 'round')}, no interval yet: #{figures}"
      end

      private

      def early?(verdict) = verdict[:outcome] == "undecided" && verdict[:interval].nil?

      def rate(row) = Report::Unit.rate(@document, row)&.fetch(:value)

      def figures(row)
        boot = row.dig(:boot_ms, :value)
        boots = " (boot #{Report::Numbers.whole(boot)} ms)" if boot
        unit = " #{Report::Unit.name(@document)}" if @document[:jobs]
        "#{row[:variant]} #{Report::Numbers.figure(rate(row))}#{unit}/s#{boots}"
      end
    end
  end
end
