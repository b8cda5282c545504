# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What the variants of a cohort were measured at that have no interval yet, for somebody who
      # waits: figures are there after the first round, a comparison only after the third.
      class EarlyFigures
        #: (Hash[Symbol, untyped], Array[String]) -> void
        def initialize(document, variants)
          rows = document[:rows].select { |row| row[:state] == "measured" }
          base, others = rows.partition { |row| row[:baseline] }
          early, compared = others.partition { |row| early?(row[:verdict]) }
          @compared = compared.any?
          @early = early.select { |row| variants.include?(row[:variant]) }
          @shown = (@early + base).sort_by { |row| -rate(row).to_f }
        end

        # Nobody here waits for an interval: all have one, or nothing was measured beside the
        # baseline.
        #: () -> bool
        def none? = @early.empty?

        # Has any variant of the run one?
        #: () -> bool
        def compared? = @compared

        # "1 round, no interval yet: 3.4.5 1 241/s (boot 301 ms) · 3.1.2 1 204/s (boot 296 ms)", the
        # fastest first.
        #: () -> String
        def to_s
          rounds = @early.map { |row| row[:trials][:measured] }.max
          figures = @shown.map { |row| figures(row) }.join(" · ")
          "#{rounds} round#{'s' unless rounds == 1}, no interval yet: #{figures}"
        end

        private

        def early?(verdict) = verdict[:outcome] == "undecided" && verdict[:interval].nil?

        def rate(row) = row.dig(:throughput_per_s, :value)

        def figures(row)
          boot = row.dig(:boot_ms, :value)
          boots = " (boot #{Numbers.whole(boot)} ms)" if boot
          "#{row[:variant]} #{Numbers.figure(rate(row))}/s#{boots}"
        end
      end
    end
  end
end
