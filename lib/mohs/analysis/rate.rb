# frozen_string_literal: true

module Mohs
  module Analysis
    # The results of a search for the highest rate under a limit: those of each probe, and of all
    # together. RateSearch decides which rate to probe next.
    class Rate
      # One probe. outcome: "below" or "above" (the figure is below or above the limit), "not_held"
      # (requests could not be sent when they fell due), "spoiled" (by the driver; `reason` is the
      # Finding that says how). `figure_ns` is nil if too few were answered for it; `late` counts
      # requests that fell due and were not sent in time.
      Probed = Struct.new(:rate_per_s, :seconds, :outcome, :figure_ns, :offered, :late, :errors,
                          :interval, :reason, keyword_init: true) do
        include Value
      end

      # The outcome of a search whose rate is only a lower bound.
      BOUND = "at_least"
      # Outcomes with an interval.
      KNOWN = ["found", "none", BOUND].freeze
      # Time of a request without a response, in limits.
      NEVER = 1000
      # The needed time may be up to this many times the budget: simulated searches were still
      # valid.
      SHORT = 2

      # Is a search that needs so long too short? The rate that it finds is then too high. needed_s:
      # that of RateSearch, nil if unknown.
      #: (needed_s: Numeric?, searched_s: Numeric?) -> bool
      def self.short?(needed_s:, searched_s:) = needed_s.to_f > SHORT * searched_s.to_f

      attr_reader :probes

      # threads: those of the driver. most: how many times the capacity the rate is at most (nil:
      # unknown). A search that is too short tries no higher rate than that, and is known to find
      # rates that are too high: so what it finds is no lower bound. searched_s: how long the whole
      # search is, of which budget_s are left for the probes.
      #: (limit: Load::Limit, capacity_per_s: Numeric, budget_s: Numeric, threads: Integer, ?searched_s: Numeric, ?most: Float?) -> void
      def initialize(limit:, capacity_per_s:, budget_s:, threads:, searched_s: budget_s, most: nil)
        @limit = limit
        @threads = threads
        @search = RateSearch.new(limit:, capacity_per_s:, budget_s:, **{ most: }.compact)
        @too_short = most && Rate.short?(needed_s: @search.needed_s, searched_s:)
        @probes = []
      end

      # The next probe; nil if the search is over.
      #: () -> Analysis::RateSearch::Probe?
      def next = @search.next

      # The interval of the rate so far.
      #: () -> Stats::Interval
      def interval = @search.interval

      #: () -> Float
      def needed_s = @search.needed_s

      # Adds the result of a probe, made by `step` within so many seconds.
      #: (Analysis::RateSearch::Probe, Load::Step, Load::StepResult, Load::Recording, seconds: Numeric) -> Analysis::Rate::Probed
      def add(probe, step, result, recording, seconds:)
        sections = sections(probe, step, result, recording.responses)
        late = result.late + result.unsent
        reason = Checks.of_probe(result, limit: @limit, threads: @threads)
        held = take(probe, sections, behind_s: late / probe.rate_per_s, seconds:, reason:)
        figure_ns = figure_ns(sections)
        outcome = reason ? "spoiled" : outcome_of(held, figure_ns)
        @probes << Probed.new(rate_per_s: probe.rate_per_s, seconds:, outcome:, figure_ns:,
                              offered: result.offered, late:, errors: result.errors,
                              interval:, reason:)
        @probes.last
      end

      # The outcome of all probes, while the server still answers: "found"; "none" (above the limit
      # at every rate tried); "at_least" (below it at every rate tried); "spoiled" (by the driver);
      # "undecided" (no probe counts).
      #: () -> String
      def outcome
        counted = @probes.reject { |probe| probe.outcome == "spoiled" }
        return @search.spoiled? ? "spoiled" : "undecided" if counted.empty?

        below, above = counted.partition { |probe| probe.outcome == "below" }
        return "none" if below.empty?

        above.empty? && !@too_short ? BOUND : "found"
      end

      private

      # The response times of the requests due in each section: NEVER limits for a request without a
      # correct response.
      def sections(probe, step, result, responses)
        sections = Array.new(probe.sections) { [] }
        responses.each do |due_ns, took_ns|
          index = section(probe, due_ns - result.started_ns) and sections[index] << took_ns
        end
        due = step.arrivals.due_ns(duration_ns: step.duration_ns)
                  .map { |due_ns| section(probe, due_ns) }.tally
        sections.each_with_index do |times, index|
          missing = due.fetch(index, 0) - times.size
          times.concat([NEVER * @limit.ns] * missing) if missing.positive?
        end
      end

      # The section of a request that was due then; nil if it is in none, since queues were still
      # filling.
      def section(probe, due_ns)
        index = (((due_ns / 1e9) - probe.fill_s) / probe.section_s).floor
        index if index.between?(0, probe.sections - 1)
      end

      # nil if infinite, because of requests without a correct response.
      def figure_ns(sections)
        figure = Stats::Sections.new(sections, share: @limit.share).figure
        figure if figure && figure < NEVER * @limit.ns
      end

      def take(probe, sections, behind_s:, seconds:, reason:)
        return @search.void(seconds:) if reason

        @search.add(probe, sections, behind_s:, seconds:)
      end

      def outcome_of(held, figure_ns)
        return "not_held" unless held

        figure_ns && figure_ns < @limit.ns ? "below" : "above"
      end
    end
  end
end
