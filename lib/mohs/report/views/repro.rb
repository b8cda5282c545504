# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # One published study: the outcome of its claims, each claim with the published figure and
      # ours, and where to see more.
      class Repro < Base
        KIND = "repro"
        LEAST_FIRST = [%i[published], %i[here]].freeze
        # Names of all metrics but requests/s: beside a claim that says "faster", a p50 of -41 % has
        # to be named.
        METRICS = [*Analysis::Metric::ALL, Analysis::Metric::TAIL, Analysis::Metric::OVERHEAD]
                  .to_h { |metric| [metric.name, metric.title] }.except("throughput").freeze
        private

        def tables
          [table(:claims, columns, claims.map { |claim| row(claim) }, least_first: LEAST_FIRST),
           *([overheads] if @document[:overheads].to_a.any?)]
        end

        def columns
          [column(:claim, "claim (place)"), column(:published, "published"), column(:here, "here"),
           column(:judgement, "judgement")]
        end

        def claims = @document[:claims]

        def row(claim)
          text = "#{'* ' if claim[:headline]}#{claim[:text]} (#{claim[:place]})"
          outcome = Templates::Claims::OUTCOMES.fetch(claim[:judgement])
          { claim: cell(text), published: cell(published(claim), value: claim[:published]),
            here: cell(here(claim), value: claim[:value]),
            judgement: cell([outcome, *claim[:reason]].join(": "), code: claim[:judgement]) }
        end

        # Each claimed overhead in microseconds, with its interval.
        def overheads
          rows = @document[:overheads].map do |one|
            value, *ends = [one[:value_us], *one[:interval_us]].map { |us| Numbers.whole(us) }
            { overhead: cell("#{one[:of]} over #{one[:over]}"),
              value: cell(value, value: one[:value_us]),
              interval: cell(("[#{ends.join(', ')}]" if ends.any?)) }
          end
          table(:overheads, [column(:overhead, "overhead"), column(:value, "µs a request"),
                             column(:interval, "", name: "interval")], rows,
                caption: say("repro_overheads"))
        end

        def pictures = { shares: @document[:shares], cold_start: @document[:cold_start] }

        # The figure that the source gives, else the range that it claims.
        def published(claim)
          return share(claim) if claim[:kind] == "share"
          return Numbers.signed(claim[:published]) if claim[:published]

          low, high = claim[:range].values_at(:low, :high)
          case claim[:kind]
          when "equal" then "equal"
          when "order" then low ? "more" : "less"
          when "bound" then low ? "> #{Numbers.signed(low)}" : "< #{Numbers.signed(high)}"
          when "warm" then Numbers.counted(high, "batch", "batches")
          when "excluded" then "excluded"
          when "compiled" then "#{'> ' unless high}#{Numbers.counted(high || (low - 1), 'version')}"
          when "survives" then "no crash"
          when "crashes" then "crash"
          else Numbers::NONE
          end
        end

        def share(claim)
          return Numbers.exact_percent(claim[:published]) if claim[:published]

          low, high = claim[:range].values_at(:low, :high)
                                   .map { |one| one && Numbers.exact_percent(one) }
          return "#{low} to #{high}" if low && high

          low ? "> #{low}" : "< #{high}"
        end

        def here(claim)
          return Numbers::NONE unless claim[:value]
          return [Numbers.share(claim[:value]), *interval(claim)].join(" ") \
            if claim[:kind] == "share"

          change = Change.new({ effect: claim[:value], interval: claim[:interval] })
          [METRICS[claim[:metric]], change.signed, *change.interval].compact.join(" ")
        end

        def interval(claim) = claim[:interval] && Numbers.shares(claim[:interval])

        def facts
          counts = @document[:counts].to_h
          Templates::Claims::OUTCOMES.filter_map do |name, text|
            [text, counts[name.to_sym].to_s] if counts[name.to_sym].to_i.positive?
          end
        end

        def remarks
          [rests, published_here, without, *cautions_of, data, differs].compact
        end

        def next_lines
          run = @document[:run]
          table = "#{run} · its table: #{Shell.command(['mohs', 'show', run, '--table'])}" if run
          [*stopped, *([remark("run", table)] if run)]
        end

        def rests
          return if claims.none? { |claim| claim[:headline] }

          remark("*", "the source rests on it: tested more strictly")
        end

        def published_here = (text = legend) && remark("published", text)

        def cautions_of
          @document[:cautions].to_a.map { |one| remark(*one.values_at(:name, :text)) }
        end

        def data
          from = @document[:from_raw]
          remark("data", "the source's own, #{from}") if from
        end

        def differs
          notes = @document[:notes]
          remark("notes", "what differs from the source: #{notes}") if notes
        end

        def legend
          return if @document[:claims].none? { |claim| claim[:value] }

          where = @document[:from_raw] ? "by the source's own data" : "in one run"
          ratio = "the ratio of two of the source's figures"
          return "#{ratio}; here: the same ratio #{where}, with its 95 % interval" unless shares?

          "#{ratio}, or its share; here: the same #{where}, with its 95 % interval"
        end

        def shares? = @document[:claims].any? { |claim| claim[:kind] == "share" }

        # Levels that this size doesn't measure.
        def without
          names = @document.dig(:levels, :left_out).to_a
          return if names.empty?

          remark("without", "#{names.join(', ')}: not measured with --#{@document[:size]}")
        end

        def stopped
          return [] if [nil, "finished", "running"].include?(@document[:state])

          name = @document[:folder] || @document[:name]
          [remark("stopped", "continue:", command: ["mohs", "repro", name, "--resume"])]
        end
      end
    end
  end
end
