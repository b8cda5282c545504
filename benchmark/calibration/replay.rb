# frozen_string_literal: true

module Mohs
  module Calibration
    # What this version decides of cohorts that earlier ones recorded: their noise is real, and only
    # the decisions are new. Pure. The totals of that time are not recorded, nor is what an
    # adjustment may be off by, so that "equal" is found more often than it would be.
    class Replay
      #: (Array[Calibration::Ledger]) -> void
      def initialize(ledgers)
        @entries = ledgers.flat_map { |ledger| ledger.of("live") }
                          .select { |entry| logs(entry).size >= LOOKS.first }
      end

      # { case => { outcome => count } }, the case of an application with itself first.
      #: () -> Hash[String, Hash[String, Integer]]
      def outcomes
        cases = @entries.group_by { |entry| entry[:case] }
        cases.sort_by { |name, _| name.to_f }.to_h do |name, entries|
          [name, entries.map { |entry| outcome(logs(entry)) }.tally]
        end
      end

      LOOKS = Stats::Sequential::LOOKS

      private

      # Differences in requests/s.
      def logs(entry) = entry[:differences].filter_map(&:first)

      # The first look that decides, or the one where the recorded cohorts end.
      def outcome(logs)
        looks = LOOKS.select { |look| look <= logs.size } | [logs.size]
        looks.each do |count|
          seen = logs.first(count)
          case decision(seen)
          when :differs then return Stats::Center.mean(seen).positive? ? "faster" : "slower"
          when :equivalent then return "equivalent"
          end
        end
        Summary::UNDECIDED
      end

      def decision(seen)
        ended = seen.size unless LOOKS.include?(seen.size)
        test = Stats::Sequential.new(ended:)
        Stats::Sequential::Decision.new(test, margin: Compare::Rules::MARGIN).call(seen)
      end
    end
  end
end
