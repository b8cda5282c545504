# frozen_string_literal: true

module Mohs
  module Report
    # A ratio B / A and its interval as a user reads them, in the direction in which the metric
    # counts: "+33.1 %" with "[31.8, 34.3]"; from a ratio of three on "3.4 times" with "[3.2, 3.6]".
    class Change
      # From this ratio on, "times as fast" reads better than per cent.
      TIMES = 3

      # An interval narrower than this, in percentage points, is shown with a decimal.
      NARROW = 3

      # From here on, a decimal would be the third digit.
      TENS = 9.95

      # An interval from below 1 to above this ratio is far from decided: its upper end is shown as
      # ">900", since the digits of "[-100, 439 217]" would read like a finding.
      FARTHEST = 10

      # A ratio without an interval.
      #: (Float) -> Report::Change
      def self.of(ratio) = new({ effect: ratio })

      # What a bound changes at least, by the low end of its interval; nil without one, or if that
      # is not more.
      #: ([Float, Float?]?) -> Report::Change?
      def self.least(interval)
        change = of(interval.first) if interval
        change if change&.more?
      end

      # A change between two equal variants, with the interval that showed them to be equal.
      #: (Hash[Symbol, untyped], ?better: String) -> Report::Change
      def self.equal(figures, better: "more")
        new({ **figures, interval: figures[:equal_interval] || figures[:interval] }, better:)
      end

      # figures: a hash with the `effect` (bigger is better) and its `interval` or nil. better:
      # whether `more` or `less` of the metric is better.
      #: (Hash[Symbol, untyped], ?better: String) -> void
      def initialize(figures, better: "more")
        ratios = [figures[:effect], *figures[:interval]]
        ratios = ratios.map { |ratio| 1 / ratio } if better == "less"
        @ratio, *ends = ratios
        @low, @high = ends.sort
      end

      #: () -> bool
      def more? = @ratio > 1

      # With its interval, if it has one: "+33.1 % [31.8, 34.3]".
      #: () -> String
      def to_s = [signed, *interval].join(" ")

      # Whether the interval excludes 1.
      #: () -> bool
      def sure? = !@low.nil? && (@low > 1 || @high < 1)

      #: () -> bool
      def times? = @ratio >= TIMES

      # Without a direction: "33 %", "3.4 times".
      #: () -> String
      def amount = times? ? "#{number(@ratio)} times" : percent

      # With the words for its direction: "33 % faster", "3.4 times as fast"; in per cent if there
      # are no words for times: "240 % faster".
      #: (String, String, ?String?) -> String
      def directed(more, less, times = nil)
        return "#{amount} as #{times}" if times && times?

        "#{percent} #{more? ? more : less}"
      end

      # The interval of the amount: "[31.8, 34.3]"; "" if there is none.
      #: () -> String
      def bracket
        return "" unless @low

        return brackets([number(@low), number(@high)], FARTHEST) if times?

        ends = [@low, @high].map { |ratio| points(ratio).abs }.sort
        brackets(ends.map { |each| number(each, decimals(ends)) })
      end

      # Both ends of the interval, each with the word for its direction: ["4 % slower", "12 %
      # faster"]. Digits of an end that is far off would read like a finding.
      #: (String, String) -> [String, String]
      def ends(more, less)
        low, high = [@low, @high].map { |ratio| Change.of(ratio).directed(more, less) }
        low = "over #{number(points(1.0 / FARTHEST).abs)} % #{less}" if near_nothing?
        [low, far? ? "over #{number(points(FARTHEST))} % #{more}" : high]
      end

      # Does the interval exclude neither a tenth nor ten times? Its ends then say nothing.
      #: () -> bool
      def vast? = !@low.nil? && near_nothing? && far?

      # For a table cell: "+33.1 %", "3.4 times".
      #: () -> String
      def signed
        return amount if times?

        decimals = points(@ratio).abs < TENS || narrow? ? 1 : 0
        shown = points(@ratio).round(decimals)
        "#{'+' unless shown.negative?}#{number(shown, decimals)} %"
      end

      # For a table cell: the interval with its signs; nil if there is none.
      #: () -> String?
      def interval
        return unless @low
        return bracket if times?

        ends = [@low, @high].map { |ratio| points(ratio) }
        brackets(ends.map { |each| number(each, decimals(ends)) })
      end

      private

      def brackets(ends, farthest = points(FARTHEST))
        "[#{ends.first}, #{far? ? ">#{number(farthest)}" : ends.last}]"
      end

      def far? = @low < 1 && @high > FARTHEST

      def near_nothing? = @high > 1 && @low < 1.0 / FARTHEST

      # As in a table: beside a narrow interval the figure without a decimal may lie outside of it.
      def percent = "#{number(points(@ratio).abs, (1 if narrow?))} %"

      def points(ratio) = (ratio - 1) * 100

      def number(value, decimals = nil) = Numbers.number(value, decimals:)

      def narrow? = @low && points(@high) - points(@low) < NARROW

      # An interval that excludes 0 must not show 0 as an end.
      def decimals(ends)
        fewest = ends.last - ends.first < NARROW ? 1 : 0
        hidden = (ends.first * ends.last).positive? && ends.map(&:abs).min.round(fewest).zero?
        fewest + (hidden ? 1 : 0)
      end
    end
  end
end
