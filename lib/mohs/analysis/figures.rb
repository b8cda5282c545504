# frozen_string_literal: true

module Mohs
  module Analysis
    # Figures of one measured trial. Each is nil if it was not recorded.
    class Figures
      #: (Store::Trial) -> void
      def initialize(trial)
        @slices = trial.measured_slices
        @boot_ns = trial.boot_ns
        @memory = trial.memory
        @trial = trial
      end

      # Without slices that something paused, as in verdicts. nil of streams, which are opened at a
      # given rate.
      #: () -> Float?
      def throughput_per_s
        typical(:throughput_per_s) { |log| Math.exp(log) * 1e9 } unless streams?
      end

      # With pauses included.
      #: () -> Float?
      def total_throughput_per_s
        Load.rate_per_s(@slices) if @slices.sum(&:good).positive? && !streams?
      end

      #: () -> Float?
      def cpu_us_per_request = typical(:cpu_us_per_request) { |log| Math.exp(-log) / 1000 }

      # The typical median of a slice; nil if that request had no correct response.
      #: () -> Float?
      def latency_p50_ms
        ranked = @slices.filter_map { |slice| Stats::Sample.ranked(slice, :latency_p50_ms) }
        log = Stats::Center.trimmed_mean(ranked) if ranked.any?
        Math.exp(-log) / 1e6 if log&.finite?
      end

      # Over all requests; nil if there were too few.
      #: () -> Float?
      def latency_p99_ms = Latency.new([@trial]).quantiles[:p99]

      # From exec to the first correct response.
      #: () -> Float?
      def boot_ms = @boot_ns && (@boot_ns / 1e6)

      # The memory of the process tree at rest after the load (Probes::Memory).
      #: () -> Integer?
      def memory_bytes
        rest = @memory[:at_end] || {}
        rest[:tree_bytes] || rest[:pss_bytes] || rest[:rss_bytes]
      end

      # The highest memory seen at any point.
      #: () -> Integer?
      def peak_memory_bytes
        points = @memory.values.grep(Hash)
        [@memory[:peak_rss_bytes], *points.map { |point| point[:peak_rss_bytes] }].compact.max
      end

      # Of streams alone (Analysis::Streams); nil of anything else.
      #: () -> Integer?
      def memory_per_connection_bytes = streams&.memory_per_connection_bytes

      #: () -> Float?
      def held_share = streams&.held_share

      # Of messages to all connections, the typical median of a slice, as #latency_p50_ms.
      #: () -> Float?
      def half_p50_ms = typical_ms(:half_p50_ns)

      #: () -> Float?
      def all_p50_ms = typical_ms(:all_p50_ns)

      # CPU time of what stands in front of the server, alone. It is per correct response, as all
      # costs are, although its own count is of requests.
      #: () -> Float?
      def front_cpu_us_per_request
        cpu_ns, sent = @trial.front.to_h.values_at(:cpu_ns, :requests)
        good = @slices.sum(&:good)
        cpu_ns.fdiv(sent) * requests / good / 1000 if sent&.positive? && good.positive?
      end

      #: () -> Integer?
      def front_memory_bytes = @trial.front.to_h[:memory_bytes]

      #: () -> Integer
      def requests = @slices.sum(&:sent)

      # { "class" => count }.
      #: () -> Hash[String, Integer]
      def errors = Figures.sum(@slices.map(&:errors))

      # The sum of several counts by class.
      #: (Array[Hash[String, Integer]]) -> Hash[String, Integer]
      def self.sum(errors) = {}.merge(*errors) { |_, one, other| one + other }

      private

      def streams? = @slices.any?(&:streams)

      def streams = (Streams.new([@trial]) if streams?)

      def typical_ms(key)
        return unless @slices.any? { |slice| slice.streams&.key?(key) }

        logs = @slices.map { |slice| Math.log(slice.streams[key] || Float::INFINITY) }
        log = Stats::Center.trimmed_mean(logs)
        Math.exp(log) / 1e6 if log.finite?
      end

      def typical(metric)
        logs = @slices.filter_map { |slice| Stats::Sample.log(slice, metric) }
        yield Stats::Center.trimmed_mean(logs) if logs.any?
      end
    end
  end
end
