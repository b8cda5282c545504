# frozen_string_literal: true

module Mohs
  module Report
    # Turns one load into the document of docs/json.md, command `load`. Pure.
    class LoadModel
      QUANTILES = { min: 0.0, p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999, max: 1.0 }.freeze
      CHECKS = %w[counts driver_share little_law stalls].freeze
      # Bars of the histogram, each as much wider than the one before, from the fastest answer to
      # the slowest.
      BARS = 40

      # asked: connections, threads, and count or duration_s.
      #: (Load::StepResult, Load::Recording, answers: Array[App::Answer], asked: Hash[Symbol, Numeric]) -> void
      def initialize(step, recording, answers:, asked:)
        @step = step
        @recording = recording
        @answers = answers
        @asked = asked
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { requests:, rate_per_s: rate, offered_per_s: nil, latency_ms: latency,
          service_ms: latency, errors:,
          connections: @step.connections,
          duration_s: @step.wall_ns / 1e9, cpu_us_per_request: nil, send_lag_ms: nil, driver_cores:,
          threads: @asked[:threads], answers: @answers.map { |answer| shown(answer) },
          histogram:, checks: }
      end

      private

      def requests
        { asked: @asked[:count], sent: @step.sent, completed: @step.completed, good: @step.good }
      end

      def rate = @step.wall_ns.positive? ? @step.good * 1e9 / @step.wall_ns : nil

      def shown(answer)
        { request: answer.request.to_s, status: answer.status, length: answer.length,
          kind: answer.kind.to_s, note: answer.note }
      end

      def errors = { total: @step.errors.values.sum, by_class: @step.errors }

      # Of a core, by all threads of the driver together.
      def driver_cores = @step.wall_ns.positive? ? @step.driver_cpu_ns.fdiv(@step.wall_ns) : nil

      def latency
        times = @recording.quantiles(:service, QUANTILES.values)
        { kind: "service", **QUANTILES.keys.zip(times.map { |time| time && (time / 1e6) }).to_h }
      end

      # [{ from_ms:, count: }]: counts between logarithmically spaced times.
      def histogram
        return [] if @step.good.zero?

        low, high = @recording.quantiles(:service, [0.0, 1.0])
        edges = edges([low, 1].max, high + 1)
        edges.each_cons(2).map do |from, to|
          { from_ms: from / 1e6, count: @recording.count_between(:service, from, to) }
        end
      end

      def edges(low, high)
        factor = high.fdiv(low)**(1.0 / BARS)
        [*Array.new(BARS) { |index| (low * (factor**index)).round }, high].uniq
      end

      def checks
        facts = { slices: [@step.to_h.merge(warm_up: false)], recorded: @recording.size,
                  threads: @asked[:threads], connections: @step.connections, keep_alive: "on" }
        CHECKS.map { |name| Checks.fetch(name).new.call(facts) }.reject { |check| check[:ok].nil? }
      end
    end
  end
end
