# frozen_string_literal: true

module Mohs
  module Analysis
    # What two things are compared by. `name` is what people type, `key` its name in documents,
    # `title` that in tables, `more` whether more is better. Values are in the unit of Figures, and
    # shown in `unit`, which is `each` of these; a rate has none, as a study may count other things
    # than requests.
    class Metric < Struct.new(:name, :key, :title, :more, :unit, :each, keyword_init: true)
      MEGABYTE = 1_000_000.0
      private_constant :MEGABYTE

      # Metrics of single slices: they have a difference for each block.
      OF_SLICES = Stats::Sample::METRICS.keys.freeze

      ALL = [
        new(name: "throughput", key: :throughput_per_s, title: "requests/s", more: true),
        new(name: "cpu", key: :cpu_us_per_request, title: "CPU a request", more: false, unit: "µs"),
        new(name: "p50", key: :latency_p50_ms, title: "p50", more: false, unit: "ms"),
        new(name: "memory", key: :memory_bytes, title: "memory", more: false, unit: "MB",
            each: MEGABYTE),
        new(name: "boot", key: :boot_ms, title: "boot", more: false, unit: "ms"),
      ].each(&:freeze).freeze

      # The latency's tail. It is not one of the metrics that are judged together: each server has
      # one figure of it, from all its requests, which varies far more than the others. It decides,
      # and its cohorts are as long as that takes, only if the user asks for it.
      TAIL = new(name: "p99", key: :latency_p99_ms, title: "p99", more: false, unit: "ms").freeze

      # What decides between streams, by what is timed (Study::Streams#timed): each slice has a
      # median of it.
      TIMED = { "first-event" => "first event", "echo" => "echo", "opening" => "to open",
                "fan-out" => "fan-out to 99 %" }
              .map { |name, title|
                new(name:, key: :latency_p50_ms, title:, more: false, unit: "ms").freeze
              }.freeze

      # Of messages to all connections, beside the time until 99 % of these have one.
      FANNED = { "half" => "fan-out to half", "all" => "fan-out to all" }.map { |name, title|
        new(name:, key: :"#{name}_p50_ms", title:, more: false, unit: "ms").freeze
      }.freeze

      # Of connections that are held open.
      PER_CONNECTION = new(name: "per-connection", key: :memory_per_connection_bytes,
                           title: "per connection", more: false, unit: "kB", each: 1000.0).freeze
      HELD = [new(name: "held", key: :held_share, title: "held", more: true, unit: "%",
                  each: 0.01).freeze, PER_CONNECTION].freeze

      # Those that only streams have.
      OF_STREAMS = [*TIMED, *FANNED, *HELD].freeze

      BESIDE_TIMED = [*HELD, *ALL.select { |one| %w[memory boot].include?(one.name) }].freeze
      private_constant :BESIDE_TIMED

      # Where a row of a document has a metric that is no estimate of its own.
      IN_ROWS = { latency_p50_ms: %i[latency_ms p50], TAIL.key => %i[latency_ms p99],
                  half_p50_ms: %i[streams half_ms p50], all_p50_ms: %i[streams all_ms p50],
                  memory_per_connection_bytes: %i[streams memory_per_connection_bytes],
                  held_share: %i[streams held_share] }.freeze
      private_constant :IN_ROWS

      # Keys of the metrics that are times of requests.
      LATENCIES = [:latency_p50_ms, TAIL.key].freeze

      # Other names that people type.
      ALIASES = { "rps" => "throughput", "requests/s" => "throughput", "latency" => "p50" }.freeze

      # What streams are compared by: what decides first.
      #: (Study::Streams) -> Array[Analysis::Metric]
      def self.of_streams(streams)
        first = fetch(streams.timed, *TIMED)
        [first, *(FANNED if first.name == "fan-out"), *BESIDE_TIMED]
      end

      # The metric with this name in a document; nil if there is none.
      #: (String) -> Analysis::Metric?
      def self.named(name) = [*ALL, TAIL, *OF_STREAMS].find { |metric| metric.name == name }

      # The metric of the name that a user typed, among ALL and those given besides. Raises
      # UsageError with the list if there is none.
      #: (String, *Analysis::Metric) -> Analysis::Metric
      def self.fetch(name, *besides)
        wanted = ALIASES.fetch(name, name)
        known = [*ALL, *besides]
        known.find { |metric| metric.name == wanted } ||
          raise(UsageError, unknown(name, known.map(&:name)))
      end

      def self.unknown(name, names)
        hint = Suggest.hint(name, names, otherwise: "Known: #{names.join(', ')}.")
        "unknown metric #{name.inspect}. #{hint}"
      end
      private_class_method :unknown

      # Log difference B - A of one cohort, better is bigger; nil if unknown, or if a side has none
      # of it. a, b: its trials.
      #: (Array[Store::Trial], Array[Store::Trial]) -> Float?
      def difference(a, b)
        return Stats::Effect.difference(slices(a), slices(b), key) if OF_SLICES.include?(key)

        sides = [a, b].map { |trials| trials.map { |trial| value(trial) } }
        return unless sides.flatten.all? { |value| value&.positive? }

        ratio = sides.map { |values| Stats::Center.mean(values.map { |v| Math.log(v) }) }
        more ? ratio[1] - ratio[0] : ratio[0] - ratio[1]
      end

      # The value in a row of a document (docs/json.md), in the metric's unit; nil if it has none.
      #: (Hash[Symbol, untyped]) -> Numeric?
      def of_row(row) = row.dig(*IN_ROWS.fetch(key) { [key, :value] })

      # A value in the unit that is shown.
      #: (Numeric) -> Numeric
      def shown(value) = each ? value / each : value

      # The value of one trial, in the metric's unit; nil if it was not recorded.
      #: (Store::Trial) -> Numeric?
      def value(trial) = Figures.new(trial).public_send(key)

      # The same difference for the totals over all slices, pauses included; nil for a metric
      # without totals.
      #: (Array[Store::Trial], Array[Store::Trial]) -> Float?
      def total_difference(a, b) = Stats::Effect.total_difference(slices(a), slices(b), key)

      private

      def slices(trials) = trials.flat_map(&:measured_slices)
    end
  end
end
