# frozen_string_literal: true

module Mohs
  class CLI
    # The options of `mohs load` for event streams, and what they exclude.
    class StreamOptions
      # All connections are opened within this many seconds, and within this share of the time.
      OPEN_WITHIN_S, OPEN_WITHIN = 1.0, 0.2
      # Amounts of a load that mean nothing here.
      EXCLUDED = { count: "-n", batches: "--batches", keep_alive: "--close",
                   threads: "-t" }.freeze
      DEFAULTS = LoadAmounts::DEFAULTS.slice(:connections, :duration_s).freeze

      #: (OptionParser) -> void
      def define(parser)
        parser.on("--stream", "keep the connections open and listen to the events",
                  "(text/event-stream) that the server sends") { @given = true }
        parser.on("--open-rate N", "with --stream: open N connections per second",
                  "(all within 1s)") { |text| @open_per_s = rate(text) }
      end

      #: () -> bool
      def given? = @given == true

      # Raises UsageError for an option that only streams have.
      #: () -> void
      def check_absence
        raise UsageError, "--open-rate is for --stream." if @open_per_s
      end

      # Members of a LoadRun::Declaration. others: options in use that exclude streams. Raises
      # UsageError for options that make no sense with them.
      #: (CLI::LoadAmounts, requests: CLI::RequestOptions, others: Array[String]) -> Hash[Symbol, untyped]
      def complete(amounts, requests:, others:)
        asked = amounts.asked
        excluded = [*others, *EXCLUDED.slice(*asked.keys).values]
        excluded << "--from-log" if requests.mix
        raise UsageError, "--stream excludes #{excluded.join(", ")}." if excluded.any?

        values = DEFAULTS.merge(asked)
        { **values, open_per_s: @open_per_s || usual_rate(**values.slice(*DEFAULTS.keys)) }
      end

      # The exit status: 0 if every stream was opened and lasted.
      #: (Hash[Symbol, untyped]) -> Integer
      def status(document)
        opened, dropped = document[:streams].values_at(:opened, :dropped)
        opened == document[:connections] && dropped.zero? ? 0 : 1
      end

      private

      def rate(text)
        rate = Float(text, exception: false)
        return rate if rate&.positive? && rate.finite?

        raise UsageError, "--open-rate #{text}: a number of connections per second, above 0."
      end

      def usual_rate(connections:, duration_s:)
        connections / [OPEN_WITHIN_S, OPEN_WITHIN * duration_s].min
      end
    end
  end
end
