# frozen_string_literal: true

module Mohs
  # For tests that load a FakeServer with the native driver.
  module LoadHelper
    # A target on `server` whose every response has to be FakeServer::BODY.
    #: (FakeServer, **untyped) -> Load::Target
    def target_on(server, **options)
      place = server.path ? { unix: server.path } : { host: "127.0.0.1", port: server.port }
      check = Load::Check.new(mode: :exact, body: FakeServer::BODY)
      Load::Target.new(connections: 4, requests: [Load::Request.new(check:)], **place, **options)
    end

    # Yields a native driver, closed after the block.
    #: (Array[Load::Target], **untyped) { (Drivers::Native) -> void } -> void
    def with_driver(targets, **options)
      driver = Drivers.fetch("native").new(targets:, capacity: 1000, **options)
      yield driver
    ensure
      driver&.close
    end

    # The result of `count` requests to a server with this script.
    #: (^(Integer) -> (Symbol | String), ?count: Integer, ?server: Hash[Symbol, untyped], **untyped) -> Load::StepResult
    def load_count(script, count: 200, server: {}, **target)
      FakeServer.open(script, **server) do |fake|
        with_driver([target_on(fake, **target)]) do |driver|
          result = driver.run([Load::Step.new(count:)]).first
          assert_equal count, result.sent
          assert_equal result.sent, result.good + result.errors.values.sum
          assert_equal result.sent, driver.recording(0).size
          assert_equal result.errors, driver.recording(0).errors
          return result
        end
      end
    end

    # Yields the port of a server that calls `serve` with each connection, in a thread of its own.
    #: (^(TCPSocket) -> void, ?port: Integer) { (Integer) -> untyped } -> untyped
    def open_raw(serve, port: 0)
      listener = TCPServer.new("127.0.0.1", port)
      threads = []
      accepting = Thread.new do
        loop { threads << Thread.new(listener.accept) { |socket| handle(socket, serve) } }
      end
      yield listener.addr[1]
    ensure
      [accepting, *threads].each { |thread| thread.kill.join }
      listener.close
    end

    # Reads a request and sends `answer`; for open_raw.
    #: (TCPSocket, ?String) -> void
    def reply(socket, answer = FakeServer::FINE)
      socket.gets("\r\n\r\n") or raise EOFError
      socket.write(answer)
    end

    # The output of a separate Ruby that runs `script`; `wrapper` goes before its command.
    #: (String, *String, ?wrapper: Array[String]) -> String
    def in_child(script, *arguments, wrapper: [])
      setup = File.join(Mohs.root, "vendor/bundle/bundler/setup.rb")
      lib = File.join(Mohs.root, "lib")
      output, status = Open3.capture2e(*wrapper, RbConfig.ruby, "-I", lib, "-r", setup,
                                       "-e", script, *arguments.map(&:to_s))
      assert status.success?, output
      output
    end

    private

    def handle(socket, serve)
      serve.call(socket)
    rescue SystemCallError, IOError
      nil # the client is gone, as it may be
    ensure
      socket.close
    end
  end
end
