# frozen_string_literal: true

module Mohs
  class CLI
    # The options of `mohs load` that say how much: connections, their source addresses and
    # lifetime, threads, duration, number of requests or batches, seed.
    class LoadAmounts
      # As in wrk, so that nobody has to learn new letters.
      DEFAULTS = { connections: 10, keep_alive: :on, threads: 1, duration_s: 10 }.freeze
      # Seconds of a search for a rate: the default, and the minimum, below which there is hardly
      # time for a probe.
      SEARCH_S, SHORTEST_SEARCH_S = 60, 10
      CLOSINGS = { nil => :asked, "fin" => :fin, "rst" => :rst }.freeze
      LENGTHS = { count: "-n", duration_s: "-d", batches: "--batches" }.freeze
      CPUS = /\A(\d{1,4})(?:-(\d{1,4}))?\z/
      BATCHES = /\A(?<batches>\d+)x(?<size>\d+)\z/

      #: () -> void
      def initialize
        @asked = {}
      end

      #: (CLI::Options) -> void
      def define(parser)
        parser.about("subject") { clients(parser) }
        parser.about("extent") { lengths(parser) }
      end

      # What was given, without defaults.
      #: () -> Hash[Symbol, untyped]
      def asked = @asked.dup

      #: () -> bool
      def batches? = @asked.key?(:batches)

      # The amounts, with defaults where none was given; with batches, `count` is the total number
      # of requests. limit: of --find-rate, or nil. Raises UsageError if amounts can't be combined.
      #: (open_loop: CLI::OpenLoop, limit: Load::Limit?) -> Hash[Symbol, untyped]
      def complete(open_loop:, limit:)
        verify_length
        asked = batches? ? { **@asked, count: @asked[:batches] * @batch_size } : @asked
        verify_search(asked) if limit
        open_loop.verify({ connections: DEFAULTS[:connections], **asked }, finding: !limit.nil?)
        values = defaults(open_loop, limit).merge(asked)
        return values if values[:threads] <= values[:connections]

        raise UsageError, "#{values[:threads]} threads need at least as many connections (-c)."
      end

      private

      def clients(parser)
        number(parser, :connections, "-c", "--connections N", "connections kept busy (10)")
        connections(parser)
        number(parser, :threads, "-t", "--threads N", "driver threads (1)")
        parser.on("--cpus LIST", "keep the driver on these CPUs: 3, 2,3 or 4-7") do |text|
          @asked[:cpus] = cpus(text)
        end
      end

      def lengths(parser)
        parser.on("-d", "--duration TIME", "e.g. 2m (10s; with --find-rate: 1m in total)") do |text|
          @asked[:duration_s] = Study::Duration.parse(text)
        end
        number(parser, :count, "-n", "--requests N", "exactly this many, or actions of a scenario")
        parser.on("--batches 64x1024", "64 batches of 1024 requests, each reported") do |text|
          @asked[:batches], @batch_size = batches(text)
        end
        number(parser, :seed, "--seed N", "random seed of the request mix and of random moments",
               least: 0)
      end

      def connections(parser)
        parser.on("--close[=HOW]", "one request per connection: sends Connection: close, or",
                  "mohs closes it (fin), by a reset (rst)") do |how|
          @asked[:keep_alive] = closing(how)
        end
        parser.on("--source-addresses A,B", "local addresses to connect from, in turn: each has",
                  "ports of its own") { |text| @asked[:source_addresses] = addresses(text) }
      end

      def closing(how)
        return CLOSINGS.fetch(how) if CLOSINGS.key?(how)

        raise UsageError, "--close=#{how}: use --close, --close=fin or --close=rst."
      end

      # Numbers and ranges of numbers.
      def cpus(text)
        numbers = text.split(",", -1).flat_map do |part|
          low, high = CPUS.match(part)&.captures
          raise UsageError, "--cpus #{text}: use numbers, like 3, 2,3 or 4-7." unless low

          (low.to_i..(high || low).to_i).to_a
        end
        known_cpus(numbers.uniq, text)
      end

      def known_cpus(numbers, text)
        available = Process::CpuSet.available
        strange = numbers - available
        return numbers if numbers.any? && strange.empty?

        raise UsageError, "--cpus #{text}: mohs may use #{available.join(', ')} here, not " \
                          "#{strange.join(', ')}."
      end

      def addresses(text)
        text.split(",").map(&:strip).each { |address| Load::Address.verify_source(address) }
      end

      def number(parser, key, *option, least: 1)
        parser.on(*option) do |text|
          @asked[key] = Options.whole(text, option: option.first.split.first, least:)
        end
      end

      # [number of batches, requests in each]
      def batches(text)
        both = BATCHES.match(text)&.captures&.map(&:to_i)
        return both if both&.all?(&:positive?)

        raise UsageError, "--batches #{text}: write the number of batches and their size: 64x1024."
      end

      def verify_length
        given = LENGTHS.select { |key, _| @asked.key?(key) }.values
        return if given.size < 2

        raise UsageError, "#{given.join(' and ')} can't be combined: a number of requests, a " \
                          "duration or batches."
      end

      def verify_search(asked)
        raise UsageError, "--find-rate takes a duration (-d), not a number of requests." if
          asked.key?(:count)
        return if asked.fetch(:duration_s, SEARCH_S) >= SHORTEST_SEARCH_S

        raise UsageError, "--find-rate needs #{SHORTEST_SEARCH_S} s or more (-d)."
      end

      # There is no default duration if the number of requests or their times are given.
      def defaults(open_loop, limit)
        return DEFAULTS.merge(duration_s: SEARCH_S) if limit

        timeless = open_loop.times? || batches? || @asked.key?(:count)
        timeless ? DEFAULTS.except(:duration_s) : DEFAULTS
      end
    end
  end
end
