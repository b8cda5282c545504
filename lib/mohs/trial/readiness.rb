# frozen_string_literal: true

require "socket"

module Mohs
  class Trial
    # Waits until a booting server is ready: a whole HTTP answer to the trial's first request and
    # the declared number of workers. An open port is not enough (a master listens long before its
    # workers have loaded the application).
    class Readiness
      # How often a closed port is tried, and the longest wait for one answer before the request is
      # sent anew.
      RETRY_S = 0.004
      ANSWER_S = 30

      # A server that answers 5xx may still be loading its application (jruby-rack does so): it gets
      # this long to recover before the answer counts as its own.
      RECOVERY_S = 3

      # Of a server that has ended by itself. What lives on of its tree is a daemon.
      #: (Process::Child, String) -> String
      def self.ending(child, how)
        return "the server #{how} (#{child.exit_status})" if child.pids.empty?

        "the server went into the background (is it, or the application, told to daemonize?)"
      end

      # request: raw bytes of an HTTP/1.1 request that asks the server to close. ready_workers: a
      # block that tells whether the declared workers are there.
      #: (bind: Servers::Bind, request: String, child: Process::Child) { () -> bool } -> void
      def initialize(bind:, request:, child:, &ready_workers)
        @bind = bind
        @request = request
        @child = child
        @ready_workers = ready_workers
      end

      # Nanoseconds from exec to the end of the first answer that came while all workers were there.
      # Raises TrialError (refused) where the server ends or `limit_s` passes first.
      #: (Numeric) -> Integer
      def wait(limit_s)
        deadline = Clock.deadline(limit_s)
        while Clock.mono_ns < deadline
          refuse(Readiness.ending(@child, "ended before it answered")) unless @child.alive?
          return Clock.mono_ns - @child.started_ns if good?(ask(deadline)) && @ready_workers.call

          sleep RETRY_S
        end
        refuse("no answer within #{limit_s} s of its start")
      end

      private

      def refuse(reason)
        raise TrialError.new(reason, state: :refused)
      end

      def good?(answer)
        status = answer[%r{\AHTTP/1\.[01] ([1-5]\d\d)\b.*?\r\n\r\n}mn, 1].to_i
        return status.positive? if status < 500

        @recovery ||= Clock.deadline(RECOVERY_S)
        Clock.mono_ns > @recovery
      end

      # One exchange on a connection of its own; "" where there was none.
      def ask(deadline)
        socket = connect
        socket.write(@request)
        read_to_end(socket, [deadline, Clock.deadline(ANSWER_S)].min)
      rescue SystemCallError, IOError
        ""
      ensure
        socket&.close
      end

      def connect = @bind.unix ? UNIXSocket.new(@bind.unix) : TCPSocket.new(@bind.host, @bind.port)

      def read_to_end(socket, deadline)
        answer = +"".b
        while Clock.mono_ns < deadline && socket.wait_readable((deadline - Clock.mono_ns) / 1e9)
          chunk = socket.read_nonblock(65_536, exception: false)
          break if chunk.nil?

          answer << chunk unless chunk == :wait_readable
          size ||= size_of(answer)
          break if size && answer.bytesize >= size
        end
        answer
      end

      # Some servers keep the connection open in spite of "Connection: close": their answer ends
      # with its length. Nil where that isn't known, or not yet.
      def size_of(answer)
        ending = answer.index("\r\n\r\n") or return
        length = answer[0, ending][/^content-length:\s*(\d+)/i, 1] or return
        ending + 4 + (@request.start_with?("HEAD ") ? 0 : length.to_i)
      end
    end
  end
end
