# frozen_string_literal: true

module Mohs
  module Repro
    # One published study: the outcome of its claims, each claim with the published figure and
    # ours, and where to see more.
    class View < Report::Views::Base
      KIND = "repro"
      LEAST_FIRST = [%i[published], %i[here]].freeze
      # Names of all metrics but requests/s: beside a claim that says "faster", a p50 of -41 % has
      # to be named.
      METRICS = [*Analysis::Metric::ALL, *Mohs::Repro::Statements::METRICS,
                 Analysis::Metric::OVERHEAD]
                .to_h { |metric| [metric.name, metric.title] }.except("throughput").freeze
      # What was run: the source's own words for it, by the keys of published.yml that say it.
      SETTING = { "application" => %w[application microbenchmark], "load" => %w[load],
                  "machine" => %w[machine], "software" => %w[software rubies ruby servers server],
                  "repeats" => %w[repeats] }.freeze
      # Versions of interpreters, as they call themselves.
      VERSION = /\A(?:j|truffle)?ruby \S+/

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = super && !AllView.of?(document)

      private

      def tables
        [*([setting] if @document[:environment].to_h.any?),
         table(:claims, columns, claims.map { |claim| row(claim) }, least_first: LEAST_FIRST),
         *([overheads] if @document[:overheads].to_a.any?)]
      end

      # What was run there and here, in five lines.
      def setting
        there = @document[:environment].to_h.transform_keys(&:to_s)
        rows = SETTING.filter_map do |name, keys|
          texts = [there.values_at(*keys).compact.join("; "), here_in(name).to_s]
          next if texts.all?(&:empty?)

          texts = texts.map { |text| text.empty? ? Report::Numbers::NONE : text }
          { what: cell(name), there: cell(texts.first), here: cell(texts.last) }
        end
        table(:setting, [column(:what, "", name: "what was run"), column(:there, "in the source"),
                         column(:here, "here")], rows)
      end

      def here_in(name)
        own = @document[:here].to_h.transform_keys(&:to_s)
        case name
        when "machine" then machine
        when "software" then software
        when "repeats" then repeats
        else own[name] || (Report::Subject.of(@document) if name == "application")
        end
      end

      def machine
        cpu, cores, kernel, virtual =
          @document.dig(:host, :fingerprint).to_h.values_at(:cpu, :cores, :kernel, :virtual)
        return unless cores

        what = [*cpu, *("a virtual machine" if virtual)].join(", ")
        [*(what unless what.empty?),
         "#{Report::Numbers.cores(cores)} for servers, load and all else",
         *("Linux #{kernel}" if kernel)].join("; ")
      end

      def software
        names = @document[:software].to_a.map { |text| text[VERSION] || text }
        names.uniq.join(", ") if names.any?
      end

      def repeats
        done = @document[:rounds].to_h[:done] or return

        "#{Report::Numbers.counted(done, 'round')}, each with newly booted servers that take turns"
      end

      def columns
        [column(:claim, "claim (place)"), column(:published, "published"), column(:here, "here"),
         column(:judgement, "judgement")]
      end

      def claims = @document[:claims]

      def row(claim)
        text = "#{'* ' if claim[:headline]}#{claim[:text]} (#{claim[:place]})"
        outcome = Outcomes::WORDS.fetch(claim[:judgement])
        { claim: cell(text),
          published: cell(published(claim), value: claim[:published], aside: figures(claim)),
          here: cell(here(claim), value: claim[:value], aside: side(claim[:measured])),
          judgement: cell([outcome, *claim[:reason]].join(": "), code: claim[:judgement]) }
      end

      # Each claimed overhead in microseconds, with its interval.
      def overheads
        rows = @document[:overheads].map do |one|
          value, *ends = [one[:value_us], *one[:interval_us]].map { |us| Report::Numbers.whole(us) }
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
        return Report::Numbers.published(claim[:published]) if claim[:published]

        low, high = claim[:range].values_at(:low, :high)
        case claim[:kind]
        when "equal"
          none("equal within #{Report::Numbers.exact_percent((high - 1).round(6))}")
        when "order" then none(low ? "more" : "less")
        when "ratio" then range(low, high)
        when "bound" then claim[:ours] ? none(range(low, high)) : range(low, high)
        when "warm" then Report::Numbers.counted(high, "batch", "batches")
        when "excluded" then "excluded"
        when "compiled"
          "#{'> ' unless high}#{Report::Numbers.counted(high || (low - 1), 'version')}"
        when "survives" then "no crash"
        when "crashes" then "crash"
        else Report::Numbers::NONE
        end
      end

      # What stands for a figure that the source does not give.
      def none(tested) = "no figure (tested as #{tested})"

      def range(low, high)
        low, high = [low, high].map { |one| one && Report::Numbers.published(one) }
        return "#{low} to #{high}" if low && high

        low ? "over #{low}" : "under #{high}"
      end

      # The source's two figures that the ratio is of: "13 577 against 10 185 requests/s".
      def figures(claim)
        side(claim[:figures].to_a.map do |one|
          unit = one[:unit].split
          about = unit.delete("about")
          { value: [*about, exact(one[:value])].join(" "), unit: unit.join(" ") }
        end)
      end

      def exact(value) = Report::Numbers.thousands(Report::Numbers.trimmed(value.to_s))

      # Figures of the two sides in one unit; nil without both.
      def side(pair)
        units, values = %i[unit value].map { |key| pair.to_a.map { |one| one[key] } }
        return unless values.size == 2 && units.uniq.one?

        values = values.map { |one| one.is_a?(String) ? one : Report::Numbers.figure(one) }
        "(#{values.join(' against ')} #{units.first})"
      end

      def share(claim)
        return Report::Numbers.exact_percent(claim[:published]) if claim[:published]

        low, high = claim[:range].values_at(:low, :high)
                                 .map { |one| one && Report::Numbers.exact_percent(one) }
        return "#{low} to #{high}" if low && high

        low ? "> #{low}" : "< #{high}"
      end

      def here(claim)
        return Report::Numbers::NONE unless claim[:value]
        return [Report::Numbers.share(claim[:value]), *interval(claim)].join(" ") \
          if claim[:kind] == "share"

        change = Report::Change.new({ effect: claim[:value], interval: claim[:interval] })
        [METRICS[claim[:metric]], change.signed, *change.interval].compact.join(" ")
      end

      def interval(claim) = claim[:interval] && Report::Numbers.shares(claim[:interval])

      def facts
        counts = @document[:counts].to_h
        Outcomes::WORDS.filter_map do |name, text|
          [text, counts[name.to_sym].to_s] if counts[name.to_sym].to_i.positive?
        end
      end

      def remarks
        [rests, published_here, without, *cautions_of, data, source, differs].compact
      end

      def source
        address = @document.dig(:source, :address)
        remark("source", address, code: :source) if address
      end

      def next_lines
        run = @document[:run]
        return [*stopped] unless run

        show = Report::Shell.command(["mohs", "show", run, "--table"])
        [*stopped, remark("run", "#{run} · its table: #{show}")]
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

        figures = shares? ? "a ratio of two of the source's figures, or a share" \
                          : "a ratio of two of the source's figures"
        where = if @document[:from_raw] then "the same by the source's own data"
                else "the same in one run, whose servers take turns"
                end
        "#{figures}; here: #{where}. In brackets: where the true value lies with 95 % certainty"
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
