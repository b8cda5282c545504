# frozen_string_literal: true

require_relative "row"

module Mohs
  # The rates of a row of the table, each the mean of its measurements.
  class AgreementRates
    # How far off wrk's a rate may be: more where wrk itself is noisier than that.
    OFF = 0.02
    OFF_OF_A_NOISY = 0.05

    # wrk's loads that differ by more are no truth.
    NO_TRUTH = 0.1

    attr_reader :row

    #: (AgreementRow, Array[Hash[String, untyped]]) -> void
    def initialize(row, lines)
      @row = row
      @lines = lines
    end

    # Those of its first measurement alone. Until 2026-11-28, only rows that were off were measured
    # again, so the mean of all flatters them.
    #: () -> AgreementRates
    def first = self.class.new(@row, @lines.first(1))

    #: () -> Integer
    def times = @lines.size

    # A server with several processes and few connections may leave one of them without any.
    #: () -> bool
    def trusted? = !@row.may_starve? && noise <= NO_TRUTH

    #: () -> Float
    def wrk = mean("wrk")

    # The share by which the two rates of wrk differ, on average.
    #: () -> Float
    def noise = (@lines.sum { |line| line["wrk"].minmax.reverse.reduce(:/) } / times) - 1

    # What it leaves out, the cost of the server itself, only makes it too high.
    #: () -> Float
    def arithmetic = @lines.first["arithmetic"]

    # The share by which a tool's rate is off another's; nil if it has none.
    #: (String, ?String) -> Float?
    def off(tool, other = "wrk") = mean(tool)&.then { |rate| (rate / mean(other)) - 1 }

    # Is it as near as it should be?
    #: (String) -> bool
    def near?(tool) = within?(tool, noise > OFF ? OFF_OF_A_NOISY : OFF)

    #: (String, Float) -> bool
    def within?(tool, share) = !off(tool).nil? && off(tool).abs <= share

    private

    def mean(tool)
      rates = @lines.flat_map { |line| line[tool] }
      rates.sum / rates.size if rates.all?
    end
  end
end
