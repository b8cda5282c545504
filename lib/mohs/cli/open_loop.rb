# frozen_string_literal: true

module Mohs
  class CLI
    # The options of an open loop: when requests are due, and its limits. Knows which combinations
    # make no sense.
    class OpenLoop
      KINDS = %w[constant poisson].freeze
      EXAMPLES = "100, 100..500 (ramp) or 100,200,400 (steps)"

      #: () -> void
      def initialize
        @values = {}
      end

      #: (OptionParser) -> void
      def define(parser)
        parser.on("--rate N", "send N requests per second, however long responses",
                  "take; 100..500: ramp; 100,200,400: steps") do |text|
          @values[:rate] = text.split(",", -1).map { |part| stage(part, text) }
        end
        parser.on("--arrivals KIND", "evenly spaced (constant), or at random like",
                  "independent clients (poisson)") { |text| @values[:arrivals] = known_kind(text) }
        parser.on("--poisson", "the same as --arrivals poisson") { @values[:arrivals] = :poisson }
        parser.on("--times FILE", "send at these times: seconds, one per line") do |path|
          @values[:times] = DueTimes.read(path)
        end
        details(parser)
      end

      # Is the loop open? Otherwise no request is due at a given time.
      #: () -> bool
      def any? = @values.key?(:rate) || times?

      #: () -> bool
      def times? = @values.key?(:times)

      # Stages, each [rate at its start, rate at its end].
      #: () -> Array[[Float, Float]]
      def stages = @values.fetch(:rate, [])

      #: () -> Integer?
      def max_connections = @values[:max_connections]

      # Members of a LoadRun::Declaration.
      #: () -> Hash[Symbol, untyped]
      def declaration
        { **@values.slice(:max_connections, :spin), search: @values.fetch(:arrivals, :poisson) }
      end

      # Arrivals for each rate; empty in a closed loop.
      #: (Integer) -> Array[Load::Arrivals]
      def arrivals(seed)
        return [Load::Arrivals.new(kind: :times, times: @values[:times])] if times?

        kind, burst = @values.fetch(:arrivals, :constant), @values.fetch(:burst, 1)
        stages.map do |rate_per_s, to_per_s|
          Load::Arrivals.new(rate_per_s:, to_per_s:, seed:, burst:, kind:)
        end
      end

      # load: `connections`, and `count` or `duration_s` if requested. Raises UsageError.
      #: (Hash[Symbol, untyped], finding: bool) -> void
      def verify(load, finding:)
        verify_growth(load[:connections])
        return refuse(%i[rate times burst], "--find-rate chooses the rate itself") if finding
        return verify_closed unless any?

        refuse(%i[rate arrivals burst], "--times says when each request is due") if times?
        return unless load[:count]
        raise UsageError, "--times has a request per line of its file: leave out -n." if times?
        raise UsageError, "a --rate that changes needs -d, not -n." if changes?
      end

      private

      NAMES = { rate: "--rate", arrivals: "--arrivals", burst: "--burst", times: "--times",
                max_connections: "--max-connections", spin: "--spin" }.freeze

      def details(parser)
        parser.on("--burst N", "N requests fall due together") do |text|
          @values[:burst] = Options.whole(text, option: "--burst")
        end
        parser.on("--max-connections N", "open more, up to N, while all are busy") do |text|
          @values[:max_connections] = Options.whole(text, option: "--max-connections")
        end
        parser.on("--spin", "never sleep between requests: sends sooner,",
                  "but takes a core") { @values[:spin] = true }
      end

      def changes? = stages.size > 1 || stages.any? { |from, to| from != to }

      def verify_growth(connections)
        most = max_connections or return
        return if most >= connections

        raise UsageError, "--max-connections #{most} is less than the #{connections} connections " \
                          "it starts with (-c)."
      end

      # A closed loop has no due times.
      def verify_closed
        refuse(NAMES.keys, "an open loop needs --rate N (requests per second) or --times")
      end

      def refuse(keys, reason)
        given = NAMES.values_at(*(keys & @values.keys))
        return if given.empty?

        raise UsageError, "#{given.join(', ')}: #{reason}."
      end

      def known_kind(text)
        return text.to_sym if KINDS.include?(text)

        raise UsageError, "--arrivals #{text}: use #{KINDS.join(' or ')}."
      end

      def stage(part, text)
        from, to = part.split("..", 2).map { |number| Float(number, exception: false) }
        to ||= from unless part.include?("..")
        return [from, to] if [from, to].all? { |rate| rate&.positive? && rate.finite? }

        raise UsageError, "--rate #{text}: use requests per second above 0: #{EXAMPLES}."
      end
    end
  end
end
