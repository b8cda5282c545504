# frozen_string_literal: true

require "mohs/core"
require "socket"

module Mohs
  module Agent
    # What runs on the machine that load comes from: does what the other end of its streams asks
    # for, until they end. One engine at a time; its records stay until the next is made.
    #
    #   { do: "clock" }                     answers { mono_ns: }
    #   { do: "reserve" }                   takes the machine until the streams end: { live: { pid:,
    #                                       user:, boot: } } every second while another mohs
    #                                       measures on it, then {}
    #   { do: "foreign_load" }              { foreign_cpu_share: } since then
    #   { do: "engine", options: }          makes one (Core::Engine); { epoch_ns: }
    #   { do: "run", step: }                { live: } about every 100 ms, then { results: of each
    #                                       target of the step, lost:, steal_share: }
    #   { do: "stop" }                      ends a run that is under way, which then answers
    #   { do: "recording", target: }        { records:, unsent: } (Load::Recording#encode)
    #   { do: "failed_response", target: }  { failed_response: }
    #   { do: "close" }                     its connections; {}
    #
    # Each answer is { answer: }, with { error: } if it could not be done. A reserved machine also
    # says { alive: true } while it has nothing to do.
    class Service
      # The other end is gone, or wants no more of this load.
      class Stopped < StandardError; end

      # How often. If the other end has vanished, TCP gives up on what it does not acknowledge in a
      # quarter of an hour (tcp_retries2); of a silent connection that takes two hours, for which
      # nobody else could measure here.
      ALIVE_S = 30

      #: (IO, IO, ?engine: untyped, ?lock: Process::MachineLock, ?alive_s: Numeric) -> void
      def initialize(from, to, engine: Core::Engine, lock: Process::MachineLock.new,
                     alive_s: ALIVE_S)
        @from = from
        @frames = Frames.new(from, to)
        @new_engine = engine
        @lock = lock
        @reserved = false
        @alive_s = alive_s
      end

      #: () -> void
      def call
        @frames.greet
        @frames.write(hello: { mohs: VERSION, host: Probes::Host.fingerprint,
                               name: Socket.gethostname,
                               client_address: ENV["SSH_CONNECTION"].to_s })
        serve
      rescue Errno::EPIPE
        nil # nobody is there any more
      ensure
        @engine&.close
      end

      private

      def serve
        while (order = next_order)
          next if order[:do] == "stop" # its load has ended
          next reserve if order[:do] == "reserve" && !@reserved

          @frames.write(answer: answer(order))
        end
      end

      def next_order
        @frames.write(alive: true) until !@reserved || IO.select([@from], nil, nil, @alive_s)
        @frames.read
      end

      # All further orders are carried out inside, so nobody else measures here meanwhile.
      def reserve
        @lock.hold(wait: method(:waiting), still: method(:waiting)) do
          @reserved = true
          @foreign = foreign_load
          @frames.write(answer: {})
          serve
        end
      rescue EnvironmentError => error
        raise if @reserved

        @frames.write(answer: { error: error.message })
      end

      def waiting(holder)
        @frames.write(live: { pid: holder&.pid, user: holder&.user, boot: Process.boot_id })
      end

      def foreign_load
        Probes::ForeignLoad.new
      rescue SystemCallError
        nil # /proc/stat can't be read
      end

      def answer(order)
        case order[:do]
        when "clock" then { mono_ns: Clock.mono_ns }
        when "reserve" then {}
        when "foreign_load" then { foreign_cpu_share: @foreign&.call&.fetch(:foreign_cpu_share) }
        when "engine" then engine(order[:options])
        when "run" then run(order[:step])
        when "recording" then recording(order[:target])
        when "failed_response" then { failed_response: @engine.failed_response(order[:target]) }
        when "close" then close
        else raise ArgumentError, "unknown order #{order[:do].inspect}"
        end
      rescue Errno::EPIPE
        raise
      rescue StandardError => error
        { error: error.message }
      end

      def engine(options)
        @engine&.close
        @engine = @new_engine.new(**options)
        { epoch_ns: @engine.epoch_ns }
      end

      def close
        @engine&.close
        {}
      end

      def run(step)
        watch = Probes::ForeignLoad.new
        load(step)
        results = step[:targets].map { |target| @engine.result(0, target) }
        { results:, lost: @engine.lost_records, steal_share: watch.call[:steal_share] }
      end

      # Whatever is said meanwhile ends it.
      def load(step)
        @engine.run([step]) do |live|
          @frames.write(live:)
          raise Stopped if IO.select([@from], nil, nil, 0)
        end
      rescue Stopped
        nil
      end

      def recording(target)
        records, unsent = @engine.records(target), @engine.unsent(target)
        { records: Load::Recording.new(records).encode, unsent: Load::Recording.new(unsent).encode }
      end
    end
  end
end
