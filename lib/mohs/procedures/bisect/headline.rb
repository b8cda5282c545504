# frozen_string_literal: true

module Mohs
  module Bisect
    # The answer of a bisection.
    class Headline < Report::Headline
      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        super
        @metric = Analysis::Metric.fetch(document[:metric])
      end

      #: () -> String
      def to_s
        case outcome = @document[:outcome]
        when "found", "contradicted" then say("bisect_#{outcome}", culprit:, figures:)
        when "unconfirmed" then say("bisect_unconfirmed", culprit:, figures:, why:)
        when "none" then none
        when "range" then say("bisect_range", range:, figures:)
        when "invalid" then say("bisect_invalid", why:)
        when "interrupted" then say("bisect_interrupted", so_far:)
        else
          more = @document[:reason] ? why : say("bisect_more_time")
          say("bisect_undecided", so_far:, why: more)
        end
      end

      private

      def none
        return say("bisect_none_faster", good:, bad:, figures:) if first_verdict == "faster"

        say("bisect_none", ends:, figures:)
      end

      # The first step compares the ends: only its result shows whether there is anything to find.
      def so_far
        return say("bisect_slower", good:, bad:, figures:, range:) if first_verdict == "slower"

        faster = first_verdict == "faster"
        say("bisect_unknown", ends: faster ? "#{bad}, against #{good}," : ends)
      end

      def first_verdict = @document[:steps].first&.fetch(:verdict)

      def why = @document[:reason] ? sentence(@document[:reason]) : ""

      def culprit
        found = @document[:found]
        found ? point(found) : "one of #{range}"
      end

      # "3f2a1b9 (2026-11-03, Count twice)"
      def point(point)
        more = point.values_at(:date, :title).compact
        more.empty? ? point[:name] : "#{point[:name]} (#{more.join(', ')})"
      end

      def range
        suspects = @document[:suspects]
        return point(suspects.first) if suspects.one?

        say("bisect_suspects", count: suspects.size, first: suspects.first[:name],
                               last: suspects.last[:name])
      end

      def good = @document[:good][:name]

      def bad = @document[:bad][:name]

      def ends = "#{good} and #{bad}"

      # "requests/s -4.9 % [-5.4, -4.4] against 77aa01", in the metric's own direction.
      def figures
        effect = @document[:effect] or return "no interval yet"

        ratio, interval, against = effect.values_at(:ratio, :interval, :a)
        better = @metric.more ? "more" : "less"
        change = Report::Change.new({ effect: ratio, interval: }, better:)
        [@metric.title, change.signed, *change.interval, "against", against].join(" ")
      end
    end
  end
end
