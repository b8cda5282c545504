# frozen_string_literal: true

module Mohs
  class Verdict
    # Report::Numbers by its earlier name.
    module Words
      TIMES = Report::Numbers::TIMES

      module_function

      def verdict(verdict) = Report::Numbers.verdict(verdict)

      def wide?(low, high) = Report::Numbers.wide?(low, high)

      def amount(...) = Report::Numbers.amount(...)

      def signed(ratio) = Report::Numbers.signed(ratio)

      def percent(share) = Report::Numbers.exact_percent(share)

      def number(value, decimals: nil) = Report::Numbers.number(value, decimals:)
    end
  end
end
