# frozen_string_literal: true

require "socket"

module Mohs
  # For tests of `mohs load`: a server in a thread of this process, and the real driver.
  module Served
    OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok"

    DRIVER = ->(**options) { Drivers.fetch("native").new(**options) }

    # A terminal at which somebody presses Ctrl-C, or does something else, when something is first
    # drawn.
    class Impatient < CLIHelper::Terminal
      def initialize(deed: -> { raise Interrupt })
        super()
        @deed = deed
      end

      def print(*)
        return super if @pressed

        @pressed = true
        @deed.call
      end
    end

    # Yields the port of a server that sends `answer` (called with the request line) for each
    # request.
    def served(answer = ->(_) { OK }, host: "127.0.0.1")
      server = TCPServer.new(host, 0)
      talks = Queue.new
      accepting = Thread.new do
        loop { talks << Thread.new(server.accept) { |socket| talk(socket, answer) } }
      end
      yield server.addr[1]
    ensure
      accepting.kill.join
      talks.pop.kill.join until talks.empty?
      server.close
    end

    def talk(socket, answer)
      while (line = socket.gets("\r\n\r\n"))
        socket.write(answer.call(line.lines.first))
      end
    rescue SystemCallError, IOError
      nil # the other end has seen enough
    ensure
      socket.close
    end

    def load(*argv, **options) = mohs("load", *argv, driver: DRIVER, **options)
  end
end
