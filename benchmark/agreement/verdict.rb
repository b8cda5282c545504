# frozen_string_literal: true

require_relative "row"

module Mohs
  # A line of directions.ndjson: what `mohs compare` said of two rows, beside wrk's rates (of one
  # load each, or the loads before and after) and arithmetic.
  class AgreementVerdict
    # Two rates that differ by less have no direction, as wrk's own do.
    EQUAL = Math.log(1.05)

    #: (Hash[String, untyped]) -> void
    def initialize(line)
      @line = line
    end

    #: () -> String
    def outcome = @line["outcome"]

    #: () -> bool
    def decided? = %w[faster slower].include?(outcome)

    # Does every truth say that the other one is clearly faster?
    #: () -> bool
    def wrong? = decided? && contradicted?(sign)

    # Could it have been wrong? Not if no truth knows a faster one.
    #: () -> bool
    def testable? = decided? && [1, -1].any? { |sign| contradicted?(sign) }

    # Is it on the other side of 1 than the ratio of wrk's rates, however near that is?
    #: () -> bool
    def against_wrk? = decided? && (sign * Math.log(wrk)).negative?

    # Is the ratio of wrk's rates outside of its interval? nil if it has none.
    #: () -> bool?
    def outside? = @line["interval"]&.then { |low, high| !wrk.between?(low, high) }

    #: () -> String
    def to_s
      format("%s against %s: %s, interval %s, by wrk x %.3f", @line["b"], @line["a"], outcome,
             @line["interval"]&.map { |ratio| ratio.round(4) }.inspect, wrk)
    end

    private

    def sign = outcome == "faster" ? 1 : -1

    def contradicted?(sign) = truths.all? { |ratio| sign * Math.log(ratio) < -EQUAL }

    # wrk's, and arithmetic's where chance may have left a process without connections under wrk.
    def truths
      rows = AgreementRow.all.select { |row| @line.values_at("a", "b").include?(row.to_s) }
      rows.any?(&:may_starve?) ? [wrk, ratio(@line["arithmetic"])] : [wrk]
    end

    def wrk = ratio(@line["wrk"].map { |rates| [*rates].sum / [*rates].size })

    def ratio(rates) = rates.last / rates.first
  end
end
