# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # The driver's own limit on this machine: right answers a second from a null server
    # (ext/mohs/core/null_server.h), which does nothing but answer: the same request over as many
    # connections (up to MOST), an answer of the same length. No faster server can be measured.
    class NullServerRate
      # Long enough to be known to a few percent, short enough to wait for.
      SECONDS = 0.2
      # More are no faster, and both ends of each are our own descriptors.
      MOST = 100
      # Requests unanswered by then never will be.
      DRAIN_S = 0.5

      # driver: makes one of its options, as CLI::Context#driver. options: more of these.
      #: (driver: ^(**untyped) -> Drivers::Base, **untyped) -> void
      def initialize(driver:, **options)
        @driver = driver
        @options = options
      end

      # Sends a target's first request, opening connections as often: the driver closes them, since
      # the null server doesn't. nil if the system has no port, thread or descriptor left for it,
      # and on a single core, which that server would take from the driver.
      #: (Load::Target, body_bytes: Integer) -> Float?
      def call(target, body_bytes:)
        return if Process::CpuSet.available.size < 2

        server = Core::NullServer.new(body_bytes)
        target = on(server.port, target)
        server.start(wire(target).bytesize)
        step = run(target)
        Load.rate_per_s([step]) if step.good.positive? && step.errors.empty?
      rescue SystemCallError
        nil
      ensure
        server&.close
      end

      private

      def on(port, target)
        check = Check.new(statuses: [200])
        request = Request.new(**target.requests.first.to_h, check:)
        Target.new(name: "nothing", host: "127.0.0.1", port:, requests: [request],
                   connections: [target.connections, MOST].min,
                   keep_alive: target.keep_alive == :asked ? :fin : target.keep_alive)
      end

      def wire(target) = Wire.render(target.requests.first, host: Address.host_header(target))

      def run(target)
        driver = @driver.call(targets: [target], drain_s: DRAIN_S, **@options)
        driver.run([Step.new(duration_ns: (SECONDS * 1e9).round)]).first
      ensure
        driver&.close
      end
    end
  end
end
