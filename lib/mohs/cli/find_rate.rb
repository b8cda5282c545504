# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs load URL --find-rate LIMIT`: the search, its progress and its document.
    class FindRate
      DURATION_S = 60
      # Below it there is hardly a probe.
      SHORTEST_S = 10

      # Raises UsageError. values: as asked for, without defaults.
      #: (Hash[Symbol, untyped]) -> void
      def self.verify(values)
        raise UsageError, "--find-rate takes a time, -d, and no number." if values.key?(:count)
        return if values.fetch(:duration_s, DURATION_S) >= SHORTEST_S

        raise UsageError, "--find-rate needs a time of #{SHORTEST_S} s or more (-d)."
      end

      # values: connections, threads, duration_s, seed. empty_per_s: asks Load::NullServerRate.
      #: (CLI::Context, limit: Load::Limit, target: Load::Target, values: Hash[Symbol, untyped], open_loop: CLI::OpenLoop, empty_per_s: ^() -> Float?, quiet: bool?) -> void
      def initialize(context, limit:, target:, values:, open_loop:, empty_per_s:, quiet:)
        @context = context
        @limit = limit
        @target = target
        @values = values
        @open_loop = open_loop
        @empty_per_s = empty_per_s
        @quiet = quiet
      end

      # Yields the document; the exit status.
      #: (Array[App::Answer], String) { (Hash[Symbol, untyped]) -> void } -> Integer
      def call(answers, intent)
        @context.err.puts(intent) unless @quiet
        result = found
        empty_per_s = @empty_per_s.call if result.interval && !@interrupted
        yield Report::RateModel.new(result, answers:, asked:, empty_per_s:).document
        return LoadCommand::INTERRUPTED if @interrupted

        %w[found at_least].include?(result.outcome) ? 0 : 1
      end

      private

      def asked
        { **@values.slice(:connections, :keep_alive, :threads),
          max_connections: @open_loop.max_connections }
      end

      def found
        progress = @quiet ? nil : progress()
        finder = finder(->(name, facts) { progress&.call(name, facts) })
        finder.call
      rescue Interrupt
        @interrupted = true
        finder.result
      ensure
        progress&.close
      end

      def finder(on_event)
        Load::RateFinder.new(
          target: @target, limit: @limit, budget_s: @values[:duration_s], driver: @context.driver,
          arrivals: @open_loop.kind_of_search, seed: @values[:seed] || 0,
          threads: @values[:threads], options: @open_loop.driver_options, on_event:
        )
      end

      def progress
        err = @context.err
        Report::Terminal::RateProgress.new(err, live: @context.live?(err), limit: @limit,
                                                style: @context.style(err))
      end
    end
  end
end
