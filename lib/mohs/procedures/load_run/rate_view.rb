# frozen_string_literal: true

module Mohs
  class LoadRun
    # A search for the highest rate within a limit: the answer, and every probe.
    class RateView < Report::Views::Base
      include FailedChecks

      KIND = "load --find-rate"
      LACKS = "a search for a rate has no variants"
      SECTIONS = [ProbesSection, ChecksSection, Report::Sections::Provenance].freeze

      OUTCOMES = { "not_held" => "rate not held" }.freeze
      TONES = { "below" => :good, "above" => :bad, "not_held" => :bad, "spoiled" => :open }.freeze

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = document[:command] == "load" && document.key?(:probes)

      # A probe in words: "812 requests/s: p99 41.2 ms, below".
      #: (Hash[Symbol, untyped], String) -> String
      def self.probe(probe, figure)
        rate = "#{Report::Numbers.figure(probe[:rate_per_s])} requests/s"
        "#{rate}: #{figure} #{Report::Numbers.figure(probe[:figure_ms])} ms, #{result(probe)}"
      end

      #: (Hash[Symbol, untyped]) -> String
      def self.result(probe)
        late, offered = probe.values_at(:late, :offered).map { |count| Report::Numbers.whole(count) }
        failed = probe[:errors].values.sum
        [OUTCOMES.fetch(probe[:outcome], probe[:outcome]),
         ("#{late} of #{offered} late" if probe[:outcome] == "not_held"),
         ("errors #{Report::Numbers.whole(failed)}" if failed.positive?),
         probe[:reason]].compact.join(", ")
      end

      private

      def called = @document[:server]

      def subject = View.subject(@document)

      def basis
        capacity = @document[:capacity_per_s]
        closed = "a closed loop reaches #{Report::Numbers.figure(capacity)} requests/s" if capacity
        level = @document[:level]
        ends = "#{Report::Numbers.exact_percent(level)} interval" if @document[:rate_per_s]
        seconds = format("%.0f s", @document[:seconds])
        ["#{seconds}, #{@document[:probes].size} probes", due, closed, ends, headroom]
          .compact.join(" · ")
      end

      def facts
        rate, limit, capacity = @document.values_at(:rate_per_s, :limit, :capacity_per_s)
        found = rate && [Report::Numbers.figure(rate[:value]), "requests/s",
                         *Report::Numbers.ends(rate)].join(" ")
        [["limit", "#{limit[:figure]} below #{Report::Numbers.figure(limit[:below_ms])} ms"],
         ["how fast", found],
         ["how sure", "#{Report::Numbers.exact_percent(@document[:level])} interval, " \
                      "#{Report::Numbers.counted(@document[:probes].size, 'probe')}"],
         ["closed loop", capacity && "#{Report::Numbers.figure(capacity)} requests/s"]]
      end

      # Every probe, the lowest rate first.
      def tables
        probes = @document[:probes].sort_by { |probe| probe[:rate_per_s] }
        rows = probes.map { |probe| row(probe) }
        rows.any? ? [table(:probes, columns, rows, runs_on: true)] : []
      end

      def columns
        [column(:rate, "requests/s", figure: true),
         column(:figure, "#{limited}, ms", figure: true), column(:outcome, "")]
      end

      def row(probe)
        { rate: figure(probe[:rate_per_s]), figure: figure(probe[:figure_ms]),
          outcome: cell(self.class.result(probe), tone: TONES[probe[:outcome]]) }
      end

      def remarks = failed_checks

      def limited = @document[:limit][:figure]

      def headroom
        times = @document[:headroom] or return
        "headroom #{Report::Numbers.figure(times)}x"
      end

      def due
        random = @document[:arrivals] == "poisson"
        "requests due #{random ? 'at random (Poisson)' : 'evenly'}"
      end
    end
  end
end
