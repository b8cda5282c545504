# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # Slow clients beside a load (ext/mohs/core/slow.h): connections that read their responses, or
    # send the bodies of their requests, at so many bytes per second. What they cost a server is
    # measured by the load beside them; of themselves they only count what became of their requests.
    class SlowClients
      # What is asked for: the `part` of an exchange that is slow, :read (the response) or :body (of
      # the request); `bytes_per_s` of each client; their number `count`.
      class Asked < Struct.new(:part, :bytes_per_s, :count, keyword_init: true)
        include Value
      end

      # Seconds that the load beside them waits for all of them to begin, at most: a server may
      # accept no more of them.
      WITHIN_S = 1
      EVERY_S = 0.01
      private_constant :WITHIN_S, :EVERY_S

      # What became of them: connections `opened`; requests `completed` with the expected status,
      # `failed`, by `errors` ({ "class" => count }), and `underway` when they were stopped; bytes
      # on the wire; CPU time of the driver's thread.
      Result = Struct.new(:opened, :completed, :failed, :underway, :sent_bytes, :received_bytes,
                          :errors, :driver_cpu_ns, keyword_init: true) do
        include Value
      end

      # target: whose first request they send. status: expected. cpu: that their thread is kept on;
      # nil: any. Raises UsageError for slow bodies if the request has none.
      #: (Load::Target, Load::SlowClients::Asked, status: Integer, ?cpu: Integer?) -> void
      def initialize(target, asked, status:, cpu: nil)
        request = target.requests.first
        sends = asked.part == :body
        raise UsageError, "#{request.method} #{request.path} has no body to send slowly." if
          sends && request.body.to_s.empty?

        @count = asked.count
        @core = Core::Slow.new(
          **Address.place(target), status:, connections: asked.count, sends:, cpu:,
          bytes: Wire.render(request, host: Address.host_header(target)),
          head: request.method == "HEAD",
          bytes_per_s: Float(asked.bytes_per_s)
        )
      end

      # Runs the block beside them, once they have begun. Returns what it returns.
      #: [T] () { () -> T } -> T
      def during(&)
        @core.start
        beside(&)
      end

      # Once the block has ended.
      #: () -> Load::SlowClients::Result
      attr_reader :result

      private

      def beside
        wait
        yield
      ensure
        counts = @core.stop
        @result = Result.new(**counts, errors: Recording.named(counts[:errors]))
      end

      def wait
        until_ns = Clock.mono_ns + (WITHIN_S * 1e9)
        sleep(EVERY_S) while @core.live[:opened] < @count && Clock.mono_ns < until_ns
      end
    end
  end
end
