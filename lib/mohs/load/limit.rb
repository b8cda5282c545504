# frozen_string_literal: true

module Mohs
  module Load
    # A limit of response times: "p99 < 50ms". figure: what is limited, one of FIGURES; ns: the
    # limit; unit: in which people read it, one of UNITS.
    class Limit < Struct.new(:figure, :ns, :unit, keyword_init: true)
      include Value

      FIGURES = { "p50" => 0.5, "p90" => 0.9, "p95" => 0.95, "p99" => 0.99, "p99.9" => 0.999,
                  "mean" => nil }.freeze
      UNITS = { "us" => 1_000, "µs" => 1_000, "ms" => 1_000_000, "s" => 1_000_000_000 }.freeze
      FORM = /\A\s*(?<figure>[a-z]\S*?)\s*<\s*(?<number>\d+(?:\.\d+)?)\s*(?<unit>us|µs|ms|s)\s*\z/i

      #: (figure: String, ns: Integer, ?unit: String) -> void
      def initialize(unit: "ms", **values)
        super
      end

      # As typed. Raises UsageError.
      #: (String) -> Load::Limit
      def self.parse(text)
        match = FORM.match(text) or raise UsageError, wrong(text)
        figure, number, unit = match.captures.then { |name, *rest| [name.downcase, *rest] }
        raise UsageError, unbounded if figure == "max"

        ns = (number.to_f * UNITS.fetch(unit.downcase)).round
        raise UsageError, wrong(text) unless FIGURES.key?(figure) && ns.positive?

        new(figure:, ns:, unit: unit.downcase)
      end

      def self.wrong(text)
        bare = text[/\A\s*#{Regexp.union(FIGURES.keys)}\s*<\s*\d+(\.\d+)?\s*\z/]
        return "#{text.inspect} lacks a unit: \"#{bare.strip}ms\"?" if bare

        "#{text.inspect} is not a valid limit; use \"p99 < 50ms\": one of " \
          "#{FIGURES.keys.join(', ')}, and a time above 0 in us, ms or s."
      end

      def self.unbounded
        "the maximum can't be limited: it grows with the length of the load. Use p99.9."
      end
      private_class_method :wrong, :unbounded

      # Of the quantile (0.99); nil for the mean.
      #: () -> Float?
      def share = FIGURES.fetch(figure)

      # "50 ms", with all of its digits.
      #: () -> String
      def time
        number = format("%.9f", Rational(ns, UNITS.fetch(unit))).sub(/\.?0+\z/, "")
        "#{number} #{unit}"
      end

      #: () -> String
      def to_s = "#{figure} < #{time}"
    end
  end
end
