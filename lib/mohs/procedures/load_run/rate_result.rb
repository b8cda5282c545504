# frozen_string_literal: true

module Mohs
  class LoadRun
    # A search for the highest rate as a whole. `outcome` is that of Analysis::Rate, or "gone" (the
    # server stopped answering); `interval` is nil except for Analysis::Rate::KNOWN. `needed_s`: see
    # Analysis::RateSearch. `answers` and `asked` are those of Load::Result, `empty_per_s` that of
    # Load::NullServerRate, nil if not measured.
    class RateResult < Struct.new(:outcome, :interval, :limit, :capacity_per_s, :arrivals,
                                  :budget_s, :needed_s, :seconds, :probes, :answers, :asked,
                                  :empty_per_s, keyword_init: true)
      include Value

      # A finding, known before the first probe, if the figure is so rare, or the rate so low, that
      # the interval will be too narrow; else nil. needed_s: that of Analysis::RateSearch, nil if
      # unknown.
      #: (limit: Load::Limit, needed_s: Numeric?, budget_s: Numeric) -> Analysis::Finding?
      def self.short_probes(limit:, needed_s:, budget_s:)
        return unless Analysis::Rate.short?(needed_s:, searched_s: budget_s)

        Analysis::Finding.new(code: "short_probes", severity: :warn,
                              values: { figure: limit.figure, needed_s: })
      end

      # Checks of a rate that was found: whether its probes were too short, and the driver's
      # headroom, if known.
      #: () -> Array[Analysis::Finding]
      def checks
        return [] unless interval

        slice = Analysis::Checks.slice({ good: interval.value, wall_ns: 1_000_000_000 })
        short = RateResult.short_probes(limit:, needed_s:, budget_s:) if needed_s
        [short, *SelfChecks.of({ slices: [slice], empty_per_s: }, %w[headroom])].compact
      end

      # How many times that rate the driver reaches with a server that does nothing.
      #: () -> Float?
      def headroom = interval && empty_per_s && (empty_per_s / interval.value)
    end
  end
end
