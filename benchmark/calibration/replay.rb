# frozen_string_literal: true

module Mohs
  module Calibration
    # What this version decides of cohorts that earlier ones recorded: their noise is real, and only
    # the decisions are new. Pure. The totals of that time are not recorded, nor is what an
    # adjustment may be off by, so that "equal" is found more often than it would be.
    class Replay
      LOOKS = Stats::Sequential::LOOKS

      #: (Array[Calibration::Ledger]) -> void
      def initialize(ledgers)
        @ledgers = ledgers.map { |ledger| judged(ledger) }
      end

      # One for each case, of all sessions; as in Summary, but with seconds of cohorts alone, and
      # without what these sessions don't share.
      #: () -> Array[Calibration::Summary::Row]
      def rows
        summaries = @ledgers.map { |ledger| Summary.new(ledger) }
        entries = @ledgers.flat_map { |ledger| ledger.of("live") }.group_by { |one| one[:case] }
        entries.sort_by { |name, _| name.to_f }.map do |name, same|
          found = summaries.filter_map { |summary| summary.find(name) }
          Summary::Row.new(name:, runs: same.size, **Summary.timed(same),
                           outcomes: same.map { |entry| entry[:outcome] }.tally,
                           covered: found.sum(&:covered), of: found.sum(&:of))
        end
      end

      private

      # The same session with other decisions.
      def judged(ledger)
        live = ledger.of("live").select { |entry| entry[:differences].size >= LOOKS.first }
        others = ledger.entries.reject { |entry| entry[:kind] == "live" }
        Ledger.new("", about: ledger.about, entries: others + live.map { |entry| again(entry) })
      end

      # The first look that decides, or the one where the recorded cohorts end.
      def again(entry)
        logs = entry[:differences].map(&:first)
        looks = LOOKS.select { |look| look <= logs.size } | [logs.size]
        decided = looks.lazy.filter_map { |count| decided(logs.first(count)) }.first
        outcome, count = decided || [Summary::UNDECIDED, logs.size]
        interval = test(count).interval(logs.first(count)).exp
        { **entry, outcome:, interval: [interval.low, interval.high],
                   differences: entry[:differences].first(count),
                   wall_s: entry[:seconds].first(count).sum }
      end

      def decided(seen)
        decision = Stats::Sequential::Decision.new(test(seen.size), margin: Compare::Rules::MARGIN)
        case decision.call(seen)
        when :differs then [Stats::Center.mean(seen).positive? ? "faster" : "slower", seen.size]
        when :equivalent then ["equivalent", seen.size]
        end
      end

      def test(count) = Stats::Sequential.new(ended: (count unless LOOKS.include?(count)))
    end
  end
end
