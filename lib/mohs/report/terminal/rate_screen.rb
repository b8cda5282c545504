# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs load --find-rate` for people: the answer, and every probe.
      class RateScreen < Screen
        OUTCOMES = { "not_held" => "rate not held" }.freeze

        # A probe in words: "812 requests/s: p99 41.2 ms, below".
        #: (Hash[Symbol, untyped], String) -> String
        def self.probe(probe, figure)
          rate = "#{Numbers.figure(probe[:rate_per_s])} requests/s"
          "#{rate}: #{figure} #{Numbers.figure(probe[:figure_ms])} ms, #{result(probe)}"
        end

        #: (Hash[Symbol, untyped]) -> String
        def self.result(probe)
          late, offered = probe.values_at(:late, :offered).map { |count| Numbers.whole(count) }
          failed = probe[:errors].values.sum
          [OUTCOMES.fetch(probe[:outcome], probe[:outcome]),
           ("#{late} of #{offered} late" if probe[:outcome] == "not_held"),
           ("errors #{Numbers.whole(failed)}" if failed.positive?),
           probe[:reason]].compact.join(", ")
        end

        #: () -> String
        def to_s
          lines = [loaded, headline, table, @style.wrap(basis, indent: INDENT), *warnings]
          "#{lines.compact.join("\n")}\n"
        end

        # Every probe, the lowest rate first.
        #: () -> Array[Array[String]]
        def cells
          probes = @document[:probes].sort_by { |probe| probe[:rate_per_s] }
          return [] if probes.empty?

          [["requests/s", "#{figure}, ms", ""], *probes.map { |probe| row(probe) }]
        end

        #: () -> Array[[String, String]]
        def remarks = failed_checks

        #: () -> String
        def basis
          capacity = @document[:capacity_per_s]
          closed = "a closed loop reaches #{Numbers.figure(capacity)} requests/s" if capacity
          ends = "#{Numbers.exact_percent(@document[:level])} interval" if @document[:rate_per_s]
          seconds = format("%.0f s", @document[:seconds])
          ["#{seconds}, #{@document[:probes].size} probes", due, closed, ends, headroom]
            .compact.join(" · ")
        end

        private

        def figure = @document[:limit][:figure]

        def table = cells.any? ? Columns.new(cells, figures: (0..1)).to_s.chomp : nil

        def row(probe)
          [Numbers.figure(probe[:rate_per_s]), Numbers.figure(probe[:figure_ms]),
           self.class.result(probe)]
        end

        def headroom
          times = @document[:headroom] or return
          "headroom #{Numbers.figure(times)}x"
        end

        def due
          random = @document[:arrivals] == "poisson"
          "requests due #{random ? 'at random (Poisson)' : 'evenly'}"
        end
      end
    end
  end
end
