# frozen_string_literal: true

module Mohs
  class LoadRun
    # The figures and self-checks of a load of event streams or WebSockets. Times are in ms,
    # quantiles exact.
    class StreamResult
      CHECKS = %w[driver_share driver_stalls driver_waits].freeze

      #: (Load::Streams::Result) -> void
      def initialize(result)
        @result = result
      end

      #: () -> Float
      def duration_s = @result.wall_ns / 1e9

      #: () -> Float
      def events_per_s = @result.events / duration_s

      # From when a stream had to be opened to the head of the response, over all streams that had
      # to; as Result.times_ms, as the next two.
      #: () -> Hash[Symbol, untyped]
      def opening_ms = times(@result.openings)

      # From when a stream had to be opened to its first event, over those that were opened.
      #: () -> Hash[Symbol, untyped]
      def first_event_ms = times(@result.firsts)

      # Between two events of a stream.
      #: () -> Hash[Symbol, untyped]
      def gap_ms = times(@result.gaps)

      # Of WebSockets: from when a message was due to its echo; a message without one ranks as
      # slower than all others.
      #: () -> Hash[Symbol, untyped]
      def echo_ms = times(@result.echoes)

      # The same from when it was sent, which is the server's part of it.
      #: () -> Hash[Symbol, untyped]
      def echo_service_ms = Result.times_ms(@result.echoes, :service)

      # Of messages that are published: from when one was due to the response to its POST.
      #: () -> Hash[Symbol, untyped]
      def publish_ms = times(@result.echoes)

      # From when a message was due to when half of the connections had it, 99 % of them, and the
      # last; {} unless messages should come to all.
      #: () -> Hash[Symbol, Hash[Symbol, untyped]]
      def fan_out_ms
        found = @result.fan_out or return {}
        { half_ms: found.halves, most_ms: found.mosts, all_ms: found.alls }
          .transform_values { |recording| times(recording) }
      end

      # Of a storm: when it began, and how long it took until connections were back; from when each
      # had to be opened again; and what the others saw before and meanwhile. Each nil if there is
      # none.
      #: () -> Hash[Symbol, untyped]
      def storm_ms
        found = @result.storm
        spans = { began_ms: found.began_ns, half_back_ms: found.half_ns,
                  most_back_ms: found.most_ns, all_back_ms: found.all_ns }
        { **spans.transform_values { |ns| ns && (ns / 1e6) },
          **{ again_ms: found.returns, before_ms: found.before, during_ms: found.during }
            .transform_values { |recording| (times(recording) if recording.size.positive?) } }
      end

      # From when a message was due to when it was sent, over all that were: the driver's own
      # lateness, and the time for which sockets took no more.
      #: () -> Hash[Symbol, Float?]
      def send_lag_ms
        p50, p99 = @result.echoes.lags([0.5, 0.99])
        Result.ms({ p50:, p99: })
      end

      #: () -> Float
      def driver_cores = @result.driver_cpu_ns.fdiv(@result.wall_ns)

      #: () -> Array[Analysis::Finding]
      def checks
        slice = { block: 0, wall_ns: @result.wall_ns, driver_cpu_ns: @result.driver_cpu_ns,
                  pulse: { spins: false, **@result.thread_stats } }
        SelfChecks.of({ slices: [slice], threads: 1 }, CHECKS)
      end

      private

      def times(recording) = Result.times_ms(recording, :response)
    end
  end
end
