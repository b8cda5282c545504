# frozen_string_literal: true

module Mohs
  class CLI
    # The options of `mohs load` for slow clients beside the load, and what they exclude.
    class SlowOptions
      PARTS = { read: "--slow-read", body: "--slow-body" }.freeze
      RATE = /\A(?<number>\d{1,9}(?:\.\d{1,9})?)\s*(?<unit>B|kB|MB)?(?:\/s)?\z/
      UNITS = { nil => 1, "B" => 1, "kB" => 1000, "MB" => 1_000_000 }.freeze
      # A faster client is none that a server has to wait for, and the core moves small pieces.
      MOST_PER_S = 1_000_000
      COUNT = /\A(?<number>\d{1,6})(?<percent>%)?\z/
      # Of the connections, unless a number is given.
      SHARE = 0.1
      # Seconds of one of the two loads, below which there is hardly a p99.
      LEAST_S = 1

      #: () -> void
      def initialize
        @rates = {}
      end

      #: (OptionParser) -> void
      def define(parser)
        parser.on("--slow-read RATE", "load twice: without, and beside clients that read no more",
                  "than this many bytes per second: 500, 10kB") do |text|
          @rates[:read] = rate(text, :read)
        end
        parser.on("--slow-body RATE", "the same with clients that send bodies slowly") do |text|
          @rates[:body] = rate(text, :body)
        end
        parser.on("--slow N", "with these two: N clients, or N% of -c (10%)") do |text|
          @count = count(text)
        end
      end

      #: () -> bool
      def given? = @rates.any?

      # "--slow-read" or "--slow-body".
      #: () -> String
      def to_s = PARTS.fetch(@rates.keys.first)

      # Raises UsageError for an option that only slow clients have, and for what excludes them.
      # others: options in use that do.
      #: (Array[String]) -> void
      def check(others)
        raise UsageError, "--slow is for --slow-read and --slow-body." if @count && !given?
        raise UsageError, "--slow-read and --slow-body can't be combined." if @rates.size > 1
        raise UsageError, "#{self} excludes #{others.join(', ')}." if given? && others.any?
      end

      # The members of a LoadRun::Declaration with what is asked for, and half of the time for each
      # of the two loads.
      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def complete(values)
        return values unless given?

        each_s = values[:duration_s].fdiv(2)
        raise UsageError, "#{self} loads twice within -d: it needs #{2 * LEAST_S} s or more." if
          each_s < LEAST_S

        part, bytes_per_s = @rates.first
        number = (@count || ->(connections) { SHARE * connections }).call(values[:connections])
        { **values, duration_s: each_s,
          slow: Load::SlowClients::Asked.new(part:, bytes_per_s:, count: [number.ceil, 1].max) }
      end

      # Raises UsageError if no request has a body to send.
      #: (Array[App::Request]) -> void
      def check_requests(requests)
        return if @rates.keys != [:body] || requests.any? { |one| !one.body.to_s.empty? }

        raise UsageError, "--slow-body needs a request with a body: --post PATH --body FILE."
      end

      private

      def rate(text, part)
        match = RATE.match(text)
        bytes = match ? match[:number].to_f * UNITS.fetch(match[:unit]) : 0
        return bytes if bytes.between?(1, MOST_PER_S)

        raise UsageError, "#{PARTS.fetch(part)} #{text}: bytes per second, from 1 to 1MB: 500 or " \
                          "10kB."
      end

      # What gives the number for so many connections.
      def count(text)
        match = COUNT.match(text)
        number = match && match[:number].to_i
        raise UsageError, "--slow #{text}: a number of clients, or their share of -c: 4 or 20%." \
          unless number&.positive?

        match[:percent] ? ->(connections) { number * connections / 100.0 } : ->(_) { number }
      end
    end
  end
end
