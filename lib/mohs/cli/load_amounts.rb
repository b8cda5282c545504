# frozen_string_literal: true

module Mohs
  class CLI
    # The options of `mohs load` that say how much: connections, threads, time or number, seed.
    class LoadAmounts
      # As wrk has them, so that nobody has to learn new letters.
      DEFAULTS = { connections: 10, threads: 1, duration_s: 10 }.freeze

      #: () -> void
      def initialize
        @asked = {}
      end

      #: (OptionParser) -> void
      def define(parser)
        number(parser, :connections, "-c", "--connections N", "kept busy (10)")
        number(parser, :threads, "-t", "--threads N", "of the driver (1)")
        parser.on("-d", "--duration TIME", "10s, 2m (10s); of --find-rate, in all (1m)") do |text|
          @asked[:duration_s] = Study::Duration.parse(text)
        end
        number(parser, :count, "-n", "--requests N", "exactly so many, or a scenario's actions")
        number(parser, :seed, "--seed N", "of the mix of requests, and of random moments", least: 0)
      end

      # With what stands for the rest. limit: of --find-rate, or nil. Raises UsageError where they
      # exclude each other.
      #: (open_loop: CLI::OpenLoop, limit: Load::Limit?) -> Hash[Symbol, untyped]
      def complete(open_loop:, limit:)
        raise UsageError, "-n and -d exclude each other: a number of requests or a time." \
          if @asked.key?(:count) && @asked.key?(:duration_s)

        FindRate.verify(@asked) if limit
        open_loop.verify({ connections: DEFAULTS[:connections], **@asked }, finding: !limit.nil?)
        values = defaults(open_loop, limit).merge(@asked)
        return values if values[:threads] <= values[:connections]

        raise UsageError, "#{values[:threads]} threads have nothing to do with " \
                          "#{values[:connections]} connections."
      end

      private

      def number(parser, key, *option, least: 1)
        parser.on(*option) do |text|
          @asked[key] = WholeNumber.parse(text, option: option.first.split.first, least:)
        end
      end

      # Given times are as long as they are.
      def defaults(open_loop, limit)
        return DEFAULTS.merge(duration_s: FindRate::DURATION_S) if limit

        open_loop.times? ? DEFAULTS.except(:duration_s) : DEFAULTS
      end
    end
  end
end
