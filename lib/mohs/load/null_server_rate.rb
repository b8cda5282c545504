# frozen_string_literal: true

require "mohs/core"
require "socket"

module Mohs
  module Load
    # The driver's own limit on this machine: correct responses per second from a null server
    # (ext/mohs/core/null_server.h), which does nothing but respond: the same request over the same
    # number of connections (up to MOST), a response of the same length. No faster server can be
    # measured.
    class NullServerRate
      # Long enough to be accurate to a few per cent, short enough to wait for.
      SECONDS = 0.2
      # More connections are no faster, and both ends of each use mohs's own descriptors.
      MOST = 100
      # Requests without a response by then will never get one.
      DRAIN_S = 0.5

      # driver: makes one from its options, as CLI::Context#driver does. host: the address of this
      # machine by which the driver reaches it. options: further options of the driver.
      #: (driver: ^(**untyped) -> Drivers::Base, ?host: String, **untyped) -> void
      def initialize(driver:, host: "127.0.0.1", **options)
        @driver = driver
        @host = host
        @options = options
      end

      # Sends a target's first request, and opens new connections as often as the target does: the
      # driver closes them, since the null server doesn't. nil if the system has no port, thread or
      # descriptor left for it, and on a single core, which the null server would take from the
      # driver.
      #: (Load::Target, body_bytes: Integer) -> Float?
      def call(target, body_bytes:)
        return if Process::CpuSet.available.size < 2 && Loopback.host?(@host)

        load(target, body_bytes) { |step| Load.rate_per_s([step]) }
      rescue SystemCallError
        nil
      end

      # The round trip of one request at a time, without any work of a server: { p50_ns:, p99_ns: }
      # over SECONDS on one connection. nil if it can't be measured.
      #: (Load::Target, body_bytes: Integer) -> { p50_ns: Integer, p99_ns: Integer }?
      def round_trip(target, body_bytes:)
        one = Target.new(**target.to_h, connections: 1, max_connections: 1, keep_alive: :on)
        load(one, body_bytes) do |_step, driver|
          p50_ns, p99_ns = driver.recording(0).quantiles(:service, [0.5, 0.99])
          { p50_ns:, p99_ns: }
        end
      rescue SystemCallError
        nil
      end

      private

      # The block's value for the step and its driver; nil unless all responses were correct.
      def load(target, body_bytes)
        server = Core::NullServer.new(body_bytes, Socket.sockaddr_in(0, @host))
        target = on(server.port, target)
        server.start(wire(target).bytesize)
        driver = @driver.call(targets: [target], drain_s: DRAIN_S, **@options)
        step = driver.run([Step.new(duration_ns: Clock.span_ns(SECONDS))]).first
        yield step, driver if step.good.positive? && step.errors.empty?
      ensure
        driver&.close
        server&.close
      end

      # Owned: no process but this one listens there.
      def on(port, target)
        check = Check.new(statuses: [200])
        request = Request.new(**target.requests.first.to_h, check:)
        Target.new(name: "nothing", host: @host, port:, requests: [request], owned: true,
                   connections: [target.connections, MOST].min,
                   keep_alive: target.keep_alive == :asked ? :fin : target.keep_alive)
      end

      def wire(target) = Wire.render(target.requests.first, host: Address.host_header(target))
    end
  end
end
