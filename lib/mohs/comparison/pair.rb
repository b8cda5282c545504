# frozen_string_literal: true

module Mohs
  class Comparison
    # One cohort of a comparison: its trials by side.
    class Pair
      # Ends after which the same would happen again.
      FINAL = %w[refused invalid].freeze

      # How each is told.
      SAID = { "refused" => ", can't be served", "failed" => ", failed", "invalid" => "" }.freeze

      # Of a mohs that was ended: the cohort was run again.
      LOST = "lost"

      attr_reader :a, :b, :position, :scheme

      #: (Hash[Symbol, untyped], baseline: String, candidate: String) -> void
      def initialize(cohort, baseline:, candidate:)
        @cohort = cohort
        @baseline = baseline
        @position = cohort[:position]
        @scheme = cohort.dig(:spec, :scheme) || "rounds"
        trials = cohort[:trials].reject { |trial| trial[:state].to_s == LOST }
        @a, @b = [baseline, candidate].map do |name|
          trials.select { |trial| trial[:variant] == name }
        end
        @differences = {}
      end

      # Is it the cohort in which each is measured alone, to be held against the others?
      #: (Hash[Symbol, untyped]) -> bool
      def self.solo?(cohort) = cohort.dig(:spec, :scheme) == Plan::Scheme::SOLO

      #: () -> Array[Hash]
      def trials = a + b

      #: () -> bool
      def whole? = a.any? && b.any? && failures.empty?

      # Would it end like this again?
      #: () -> bool
      def final? = failures.any? { |trial| FINAL.include?(trial[:state].to_s) }

      # What happened to it, in a sentence; nil where nothing did.
      #: () -> String?
      def trouble
        worst = failures.find { |trial| FINAL.include?(trial[:state].to_s) } || failures.first
        return ("a server was not measured" unless whole?) unless worst

        "#{side(worst)}#{SAID[worst[:state].to_s]}: #{reason(worst)}"
      end

      #: (Comparison::Metric) -> Float?
      def difference(metric)
        @differences.fetch(metric) { @differences[metric] = metric.difference(a, b) }
      end

      # The same of each block; none for a metric that slices don't have.
      #: (Comparison::Metric) -> Array[Float]
      def block_differences(metric)
        return [] unless Metric::OF_SLICES.include?(metric.key)

        sides = [a, b].map { |trials| trials.flat_map { |trial| Doubts.slices(trial) } }
        Stats::Effect.block_differences(*sides, metric.key).sort.map(&:last)
      end

      # From its first server's start to its end: what it waited for another mohs doesn't count.
      #: () -> Float
      def seconds
        started_ms = trials.map { |trial| trial[:started_ms] }.min || @cohort[:started_ms]
        (@cohort[:finished_ms] - started_ms) / 1000.0
      end

      # Seconds of load that one block took: every slice of one side, two sides at once in a duet.
      #: () -> Float
      def block_s
        sides = scheme == "duet" ? [a] : [a, b]
        slices = sides.flatten.flat_map { |trial| trial[:slices].select { |slice| slice[:block] } }
        blocks = slices.map { |slice| slice[:block] }.uniq.size
        blocks.zero? ? 0.0 : slices.sum { |slice| slice[:wall_ns] } / 1e9 / blocks
      end

      # That each server had.
      #: () -> Integer?
      def cores = trials.first&.dig(:facts, :cores)

      #: () -> Hash[Symbol, Float]
      def host = @cohort[:host] || {}

      private

      def side(trial)
        "#{trial[:variant] == @baseline ? 'A' : 'B'}, #{trial[:variant].inspect}"
      end

      def reason(trial)
        reason = trial[:reason] || Report::Phrase.spoiled(trial.dig(:facts, :checks))
        reason.to_s.lines.first.to_s.strip
      end

      def failures = trials.reject { |trial| trial[:state].to_s == "measured" }
    end
  end
end
