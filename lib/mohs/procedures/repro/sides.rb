# frozen_string_literal: true

module Mohs
  module Repro
    # What our figure for a claim compares, with the names of the variants that ran: "boot time:
    # 3.3.8 --yjit against 3.3.8". claim: as in docs/json.md.
    class Sides
      # Names of metrics that have other titles in tables, and of those that tables don't have.
      METRICS = { "cpu" => "CPU time per request", "boot" => "boot time",
                  "overhead" => "time added to a request",
                  "p50" => "median response time", "p99" => "99th-percentile response time",
                  "stretch" => "99th percentile of response times over their median",
                  "share" => "share of the CPU time" }.freeze
      RATE = "requests/s"
      # As many rivals are named one by one.
      FEW = 3

      # Figures of two sides in one unit, [{ value:, unit: }]: "(13 577 against 10 185 requests/s)";
      # nil without both. of: of what they are, as it follows the unit.
      #: (Array[Hash[Symbol, untyped]]?, ?of: String?) -> String?
      def self.figures(pair, of: nil)
        units, values = %i[unit value].map { |key| pair.to_a.map { |one| one[key] } }
        return unless values.size == 2 && units.uniq.one?

        values = values.map { |one| one.is_a?(String) ? one : Report::Numbers.figure(one) }
        "(#{values.join(' against ')} #{units.first}#{of})"
      end

      #: (Hash[Symbol, untyped]) -> void
      def initialize(claim)
        @claim = claim
        @names = Names.new(claim[:levels])
      end

      # The quantity; a rate of requests, unless the study counts something else.
      #: () -> String
      def quantity
        return @claim[:unit] || RATE if @claim[:metric] == "throughput"

        METRICS.fetch(@claim[:metric]) { |name| Metrics.titled(name) }
      end

      # "a against b"; the category of a share alone.
      #: () -> String
      def to_s = [0, *rival].map { |index| side(index) }.join(" against ")

      # The same before anything ran: beside each of several.
      #: () -> String
      def claimed
        others = @claim[:to].size > FEW ? ["each of #{@claim[:to].size} others"]
                                        : (1..@claim[:to].size).map { |index| side(index) }
        [side(0), Wording.all(others)].join(" against ")
      end

      # The variants of both sides of an overhead, each with what it is over.
      #: () -> Array[[String, String]]
      def overheads = [0, *rival].map { |index| [name(index), @names.of(@claim[:over][index])] }

      private

      def side(index)
        category, over, since = @claim.values_at(:categories, :over, :since)
                                      .map { |one| one && one[index] }
        return "#{category} in #{@names.of(place(index))}" if category

        name = called(name(index))
        return "#{name} over #{called(@names.of(over))}" if over

        since ? "#{name} / #{called(@names.of(since))}" : name
      end

      def name(index) = @names.of(place(index))

      # `of`, then each of `to`.
      def place(index) = [@claim[:of], *@claim[:to]].fetch(index)

      def called(name) = Report::Numbers.called(name)

      # The place of the level that the figure is relative to: a finding names it if there are
      # several. nil for a share.
      def rival
        return if @claim[:kind] == "share" || @claim[:to].empty?

        names = @claim[:findings].to_a.filter_map { |one| one[:values].to_h[:rival] }
        found = @claim[:to].index { |level| names.include?(level) }
        1 + found.to_i
      end
    end
  end
end
