# frozen_string_literal: true

module Mohs
  module Exporters
    # The figures of a document one by one, each metric of each variant, for formats that know only
    # names and numbers. Unknown figures are left out, but a variant without any figures has a row,
    # so that no variant is dropped silently.
    class Figures
      # `key` is the name in docs/json.md (latency_ms.p50 is latency_p50_ms), `name` the same
      # without the unit; `better` is more or less.
      class Metric < Struct.new(:key, :name, :unit, :better, :title, keyword_init: true)
        include Value
      end

      # variant is nil where there is none, as in a load. low and high are the ends of the interval;
      # for a latency whose value is unknown, low is the time that it exceeds. effect is the ratio
      # to the baseline (bigger is better), with its interval.
      class Figure < Struct.new(:variant, :metric, :value, :low, :high, :baseline, :verdict,
                                :effect, :effect_low, :effect_high, keyword_init: true)
        include Value

        # Columns of csv and ndjson.
        COLUMNS = %i[variant metric unit value low high baseline verdict effect effect_low
                     effect_high].freeze

        #: () -> Hash[Symbol, untyped]
        def to_row
          COLUMNS.to_h do |name|
            [name, case name
                   when :metric then metric.key
                   when :unit then metric.unit
                   else self[name]
                   end]
          end
        end
      end

      LATENCIES = { p50: "median", p90: "90th percentile", p99: "99th percentile",
                    p999: "99.9th percentile", max: "maximum" }.freeze

      # { key => Metric }. list: of each [key, name, unit, better, title].
      #: (*Array[String]) -> Hash[String, Exporters::Figures::Metric]
      def self.metrics(*list)
        list.to_h do |key, name, unit, better, title|
          [key, Metric.new(key:, name:, unit:, better:, title:)]
        end.freeze
      end

      # Those of documents of several procedures. Figures that only one has are in the METRICS of
      # its own subclass.
      METRICS = metrics(
        ["throughput_per_s", "throughput", "requests/s", "more", "correct responses per second"],
        ["total_throughput_per_s", "total_throughput", "requests/s", "more",
         "correct responses per second, pauses included"],
        ["jobs_per_s", "jobs", "jobs/s", "more", "jobs per second"],
        ["cpu_us_per_request", "cpu_per_request", "us", "less", "CPU time per response"],
        ["cpu_us_per_job", "cpu_per_job", "us", "less", "CPU time per job"],
        *LATENCIES.map do |key, title|
          ["latency_#{key}_ms", "latency_#{key}", "ms", "less", "#{title} of the latency"]
        end,
        ["boot_ms", "boot", "ms", "less", "time from exec to the first correct response"],
        ["memory_bytes", "memory", "bytes", "less", "memory at rest after the load"],
        ["peak_memory_bytes", "peak_memory", "bytes", "less", "peak RSS"],
        ["error_share", "errors", "share", "less", "share of failed requests"],
        ["held_share", "held", "share", "more",
         "share of streams that were opened and lasted, of those that had to be opened"],
        ["dropped_share", "dropped", "share", "less", "share of opened streams that did not last"],
        ["lost_share", "lost", "share", "less",
         "share of messages due on WebSockets that were not sent, or did not come back"],
        ["missed_share", "missed", "share", "less",
         "share of deliveries of messages to all WebSockets that did not come"],
        ["half_p50_ms", "half_p50", "ms", "less",
         "median time from when a message was due until half of the WebSockets had it"],
        ["all_p50_ms", "all_p50", "ms", "less", "the same until all of them had it"],
        ["send_lag_p99_ms", "send_lag_p99", "ms", "less",
         "99th percentile of the time from when messages were due to when they were sent"],
        ["memory_per_connection_bytes", "memory_per_connection", "bytes", "less",
         "memory that a server has more for each open connection"],
        ["rate_per_s", "rate", "requests/s", "more",
         "correct responses per second; where a limit was given, the highest within it"],
      )

      # Figures of a row that are estimates.
      ESTIMATES = %i[throughput_per_s total_throughput_per_s cpu_us_per_request boot_ms
                     memory_bytes].freeze
      # Estimates that exist for jobs as well, and the metrics that they become.
      OF_JOBS = { throughput_per_s: "jobs_per_s", cpu_us_per_request: "cpu_us_per_job" }.freeze

      # The outcome if there is no verdict.
      INVALID = "invalid"

      # Digits to which no figure is known; further digits are rounding errors of floats.
      DIGITS = 9

      # A procedure whose documents have other figures has a subclass of its own, for documents of
      # this KIND (Documents.kind).
      #: (Hash[Symbol, untyped]) -> Array[Exporters::Figures::Figure]
      def self.of(document)
        kind = Documents.kind(document)
        own = Procedure.parts("figures").find { |one| one::KIND == kind }
        (own || self).new(document).to_a
      end

      # The value in this many significant digits.
      #: (Numeric, ?Integer) -> Numeric
      def self.rounded(value, digits = DIGITS)
        return value if value.is_a?(Integer) || value.zero?

        value.round(digits - 1 - Math.log10(value.abs).floor)
      end

      # The kinds of documents that have figures of their own, of subclasses for which the block is
      # true.
      #: () ?{ (singleton(Exporters::Figures)) -> bool } -> Array[String]
      def self.kinds(&block)
        Procedure.parts("figures").select(&block || :itself).map { |one| one::KIND }
      end

      # Are they the same figures in each such document, so that they make series over time?
      #: () -> bool
      def self.series? = true

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @document = document
      end

      #: () -> Array[Exporters::Figures::Figure]
      def to_a
        @document[:rows].flat_map { |row| of_row(row) }
      end

      private

      def of_row(row)
        return [unmeasured(row)] unless row[:state] == "measured"

        figures = [*estimates(row), *latencies(row), *others(row)]
        figures << figure("peak_memory_bytes", value: row[:peak_memory_bytes])
        figures << figure("error_share", value: row.dig(:errors, :share),
                                         verdict: row.dig(:errors, :outcome))
        figures.concat(streams(row[:streams])) if row[:streams]
        figures.compact.map { |one| judged(one, row) }
      end

      # A refused, failed, invalid or waiting variant: its state is its verdict.
      def unmeasured(row)
        key = @document[:jobs] ? "jobs_per_s" : "throughput_per_s"
        Figure.new(metric: metric(key), variant: row[:variant], verdict: row[:state],
                   baseline: @document[:baseline])
      end

      def metric(key) = self.class::METRICS.fetch(key)

      # nil if nothing is known of the figure.
      def figure(key, value:, low: nil, high: nil, **more)
        value, low, high = [value, low, high].map { |one| known(one) }
        return unless value || low || high

        Figure.new(metric: metric(key), value:, low:, high:, **more)
      end

      def known(value)
        self.class.rounded(value) if value.is_a?(Numeric) && value.to_f.finite?
      end

      def estimates(row)
        ESTIMATES.map do |key|
          estimate = row[key] or next
          next figure(key.to_s, **estimate.slice(:value, :low, :high)) unless @document[:jobs]

          of_jobs(key, estimate)
        end
      end

      # Each request is a batch of jobs, so rate and CPU time are converted to those of jobs.
      def of_jobs(key, estimate)
        name = OF_JOBS[key] or return
        count = @document.dig(:jobs, :count)
        numbers = estimate.slice(:value, :low, :high).transform_values do |value|
          value && (key == :throughput_per_s ? value * count : value.fdiv(count))
        end
        figure(name, **numbers)
      end

      def latencies(values) = times(values[:latency_ms], "latency")

      # Percentiles as figures; metric: how the names of theirs begin.
      def times(found, metric)
        LATENCIES.keys.map do |key|
          figure("#{metric}_#{key}_ms", value: found.to_h[key],
                                        low: found.to_h.dig(:more_than, key))
        end
      end

      def streams(found)
        { held_share: found[:held_share], dropped_share: share(*found.values_at(:dropped, :opened)),
          lost_share: lost(found[:messages]), missed_share: missed(found[:fan_out]),
          half_p50_ms: found.dig(:half_ms, :p50), all_p50_ms: found.dig(:all_ms, :p50),
          send_lag_p99_ms: found.dig(:send_lag_ms, :p99),
          memory_per_connection_bytes: found[:memory_per_connection_bytes] }
          .map { |key, value| figure(key.to_s, value:) }
      end

      # Of messages; nil without any.
      def lost(counts)
        due, lost, unsent = counts&.values_at(:due, :lost, :unsent)
        share(lost + unsent, due) if due
      end

      # Of deliveries.
      def missed(counts) = counts && share(counts[:due] - counts[:came], counts[:due])

      def share(part, all) = (part.fdiv(all) if all.positive?)

      # Figures of a row that only some documents have.
      def others(_row) = []

      # The figure with its variant, and the result of comparing it with the baseline.
      def judged(figure, row)
        given = figure.to_h.compact
        Figure.new(variant: row[:variant], baseline: @document[:baseline],
                   **comparison(figure.metric.key, row), **given)
      end

      def comparison(key, row)
        verdict = row[:verdict].to_h
        deciding = verdict[:metric].to_s
        deciding = OF_JOBS.fetch(deciding.to_sym, deciding) if @document[:jobs]
        deciding == key ? effect(verdict, verdict[:outcome]) : {}
      end

      # An invalid comparison has no effect, so that no chart shows one without its verdict.
      def effect(found, verdict)
        return { verdict: } if verdict == INVALID

        effect, effect_low, effect_high = [found[:effect], *found[:interval]].map { known(_1) }
        { verdict:, effect:, effect_low:, effect_high: }
      end
    end
  end
end
