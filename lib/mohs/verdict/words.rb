# frozen_string_literal: true

module Mohs
  class Verdict
    # Ratios in words: "37 % faster [36, 39]". Two or three significant digits, the interval as
    # exact as its width deserves.
    module Words
      # From here on "times as fast" reads better than per cent.
      TIMES = 3

      # Interval narrower than this, in points of a per cent: a decimal says something.
      NARROW = 3

      # An interval with an end this many times the other decides nothing, and its ends would read
      # like findings.
      WIDEST = 9

      module_function

      # For a table's cell.
      #: (Verdict) -> String
      def verdict(verdict)
        case verdict.outcome
        when :faster, :slower
          "#{amount(verdict.effect, 'faster', 'slower', 'fast')}#{bracket(verdict)}"
        when :equivalent then "equal within #{percent(verdict.margin)}#{bracket(verdict)}"
        when :undecided
          undecided(verdict)
        when :baseline then "baseline"
        else "no verdict"
        end
      end

      # Does the interval say nothing that a person could use?
      #: (Float, Float) -> bool
      def wide?(low, high) = high / low >= WIDEST

      # "37 % faster", "3.1 % slower", "3.4 times as fast", with the words given for it.
      #: (Float, String, String, String) -> String
      def amount(ratio, more, less, times)
        return "#{format('%.1f', ratio)} times as #{times}" if ratio >= TIMES

        "#{number((ratio - 1).abs * 100)} % #{ratio < 1 ? less : more}"
      end

      # " [36, 39]": in per cent of the outcome's direction, signed where it is undecided; ""
      # without an interval.
      #: (Verdict) -> String
      def bracket(verdict)
        return "" unless verdict.low

        bounds = bounds(verdict)
        " [#{bounds.map { |bound| number(bound, decimals: decimals(verdict, bounds)) }.join(', ')}]"
      end

      # "+0.2 %".
      #: (Float) -> String
      def signed(ratio) = "#{ratio < 1 ? '-' : '+'}#{number((ratio - 1).abs * 100)} %"

      # "1 %", of a share.
      #: (Float) -> String
      def percent(share) = "#{format('%.3g', share * 100)} %"

      # Two or three significant digits, thousands apart: "0.38", "3.1", "37", "1 204".
      #: (Numeric, ?decimals: Integer?) -> String
      def number(value, decimals: nil)
        text = format("%.#{decimals || natural_decimals(value.abs)}f", value)
        text = text.delete_prefix("-") if text.to_f.zero?
        text.gsub(/(?<=\d)(?=(\d{3})+(\.|\z))(?!\.\d*)/, " ")
      end

      def undecided(verdict)
        return "undecided" unless verdict.effect
        return "#{signed(verdict.effect)}, no interval" unless verdict.low
        return "undecided, too noisy" if wide?(verdict.low, verdict.high)

        "undecided#{bracket(verdict)}"
      end

      def bounds(verdict)
        low, high = verdict.low, verdict.high
        return [low, high] if verdict.effect >= TIMES && verdict.outcome == :faster
        return [(1 - high) * 100, (1 - low) * 100] if verdict.outcome == :slower

        [(low - 1) * 100, (high - 1) * 100]
      end

      def decimals(verdict, bounds)
        # A decided interval excludes "no difference", and has to show it.
        return 2 if %i[faster slower].include?(verdict.outcome) && bounds.first.abs < 0.05
        return 1 if verdict.effect >= TIMES || bounds.last - bounds.first < NARROW

        ((verdict.effect - 1).abs * 100) < 10 ? 1 : 0
      end

      def natural_decimals(size)
        return 0 if size >= 9.95 || size.zero?

        size >= 0.095 ? 1 : 2
      end

      private_class_method :undecided, :bounds, :decimals, :natural_decimals
    end
  end
end
