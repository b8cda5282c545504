# frozen_string_literal: true

module Mohs
  module Analysis
    # Latency of one variant, from each boot's quantiles: their medians, and the largest maximum.
    # Samples are never pooled: one boot with a pause would make the tail of all.
    class Latency
      # Quantiles for which the sample of each boot must be large enough for an interval.
      QUANTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 }.freeze

      # Number of requests that other quantiles need from each boot: 100 / (1 - p) (method, section
      # 4).
      DEMANDING = { p999: 100_000 }.freeze

      # What a slice does not show if connections wait for a thread and it ends before each has had
      # its turn twice. In a turn Puma answers up to ten requests of a connection, so that one
      # request in ten waits for the next (docs/method.md, The rate of a slice).
      SHOWN = 0.9
      TAILS = %i[p90 p95 p99 p999 max].freeze
      WHOLE = 20

      # Number of requests that a server has to answer for a quantile.
      #: (Symbol) -> Integer
      def self.needed(name)
        DEMANDING.fetch(name) do
          (1..).find { |count| Stats::Quantile.ranks(count, QUANTILES.fetch(name)).all? }
        end
      end

      # Requests answered by the server with the fewest; 0 without any.
      #: () -> Integer
      def fewest = @boots.map { |boot| boot[:count] }.min.to_i

      # Seconds of load after which a server that answers at the rate of the one with the fewest has
      # answered enough. Every server is measured equally long in every round, so more rounds don't
      # help. nil if it is not known how long that server was measured.
      #: (Symbol) -> Float?
      def needed_s(name)
        trial = slowest or return
        measured_s = trial.measured_slices.sum { |slice| slice.wall_ns.to_i } / 1e9
        self.class.needed(name) * measured_s / fewest if measured_s.positive?
      end

      #: (Array[Store::Trial]) -> void
      def initialize(trials)
        @trials = trials.select { |trial| trial.latency.to_h[:count].to_i.positive? }
        @boots = @trials.map(&:latency)
      end

      #: () -> String
      def kind = (@boots.first&.fetch(:kind, nil) || "service").to_s

      # In ms; nil for a quantile that there are not enough requests for, whose rank is held by a
      # request without a correct response, or whose waits are longer than a slice.
      #: () -> Hash[Symbol, Float?]
      def quantiles
        @quantiles ||= [*QUANTILES.keys, *DEMANDING.keys].to_h do |name|
          [name, (known(median(name)) if enough?(name) && !cut?(name))]
        end
      end

      # In ms; nil if a request of any boot had no correct response, or may have waited for longer
      # than a slice.
      #: () -> Float?
      def max = (known(times(:max).max) unless cut?(:max))

      # Do slices end before the longest waits for a thread do, so that SHOWN of the requests, the
      # fastest, are all that a latency can be told of?
      #: () -> bool
      def waits_cut_off?
        return @cut if defined?(@cut)

        @cut = kind == "service" && @trials.any? { |trial| ends_early?(trial) }
      end

      # For quantiles that are nil because of requests without a correct response: what they exceed,
      # in ms, which is the longest time that any request of these boots is known to have taken.
      # Empty if that was not recorded.
      #: () -> Hash[Symbol, Float]
      def more_than
        bounds = @boots.filter_map { |boot| milliseconds(boot[:longest_ns]) }
        return {} if bounds.empty?

        longest = [*bounds, *times(:max).select(&:finite?)].max
        [*quantiles.keys, :max].select { |name| unanswered?(name) }.to_h { |name| [name, longest] }
      end

      # Quantiles that are nil though they were recorded, and the maximum where waits are cut off;
      # and whether that is for too few requests, for one without a correct response, or because of
      # such waits.
      #: () -> Hash[Symbol, (:few | :unanswered | :cut)]
      def missing
        return {} if @boots.empty?

        names = quantiles.select { |name, value| value.nil? && times(name).any? }.keys
        names << :max if waits_cut_off?
        names.to_h { |name| [name, why_missing(name)] }
      end

      # For quantiles that are nil because of too few requests: how many the server with the fewest
      # answered, how many are needed, and, if known, the seconds of load until then and the
      # connections of a closed loop, with as many of which latencies are the same.
      #: () -> Hash[Symbol, { had: Integer, needed: Integer, ?needed_s: Float, ?connections: Integer }]
      def shortages
        few = missing.select { |_, why| why == :few }.keys
        few.to_h { |name| [name, shortage(name)] }
      end

      # The same for one quantile.
      #: (Symbol) -> { had: Integer, needed: Integer, ?needed_s: Float, ?connections: Integer }
      def shortage(name)
        connections = slowest&.connections.to_h[:asked] if kind == "service"
        { had: fewest, needed: self.class.needed(name), needed_s: needed_s(name),
          connections: }.compact
      end

      private

      def slowest = @trials.min_by { |one| one.latency[:count] }

      # For each boot, in ms: infinite if a request without a correct response held that rank.
      def times(name)
        @boots.filter_map do |boot|
          endless = boot[:unanswered].to_a.include?("#{name}_ns")
          endless ? Float::INFINITY : milliseconds(boot[:"#{name}_ns"])
        end
      end

      def median(name)
        values = times(name)
        Stats::Center.median(values) if values.any?
      end

      def known(time) = (time if time&.finite?)

      def unanswered?(name) = (name == :max ? times(name).max : median(name)) == Float::INFINITY

      def enough?(name)
        return false if @boots.empty?

        share = QUANTILES[name]
        share ? Stats::Quantile.ranks(fewest, share).all? : fewest >= DEMANDING[name]
      end

      def cut?(name) = TAILS.include?(name) && waits_cut_off?

      def why_missing(name)
        return :unanswered if unanswered?(name)

        cut?(name) ? :cut : :few # more requests don't help where waits are cut off
      end

      # Do its slices end before each connection has had its turn twice? In an open loop requests
      # wait for what falls due, whatever a slice lasts.
      def ends_early?(trial)
        asked = trial.connections.to_h[:asked]
        slices = trial.measured_slices
        return false unless ConnectionsExceedThreads.wait?(trial)

        slices.any? && slices.sum(&:good) < WHOLE * asked * slices.size
      end

      def milliseconds(nanoseconds) = nanoseconds && (nanoseconds / 1e6)
    end
  end
end
