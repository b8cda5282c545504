# frozen_string_literal: true

require "digest"
require_relative "room"
require_relative "talk"

# The application of config.ru.
class Echo
  PLAIN = { "content-type" => "text/plain" }.freeze
  ACCEPTED = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11" # RFC 6455, 1.3
  KEY = %r{\A[A-Za-z0-9+/]{22}==\z}.freeze
  READ_BYTES = 65_536

  # Serves many WebSockets from one thread. A client that reads nothing, so that no more fits into
  # its socket, is cut off: waiting for it would delay the others.
  class Echoer
    def initialize
      @added = Thread::Queue.new
      @talks = {}
      @lock = Mutex.new
      @wake, @waker = IO.pipe
    end

    def add(io)
      @added << io
      @lock.synchronize { @thread = Thread.new { loop { turn } } unless @thread&.alive? }
      @waker.write_nonblock(".", exception: false)
    end

    private

    def turn
      ready, = IO.select([@wake, *@talks.keys])
      @wake.read_nonblock(4096, exception: false) if ready.delete(@wake)
      ready.each { |io| serve(io) }
      @talks[@added.pop] = Talk.new until @added.empty?
    end

    def serve(io)
      talk = @talks.fetch(io)
      bytes = io.read_nonblock(READ_BYTES, exception: false)
      return if bytes == :wait_readable
      return drop(io) unless bytes

      out = talk.answer(bytes)
      sent = io.write_nonblock(out, exception: false)
      drop(io) if talk.over? || sent != out.bytesize
    rescue IOError, SystemCallError
      drop(io)
    end

    def drop(io)
      @talks.delete(io)
      io.close
    rescue IOError, SystemCallError
      nil # the client was first
    end
  end

  def initialize
    @echoer = Echoer.new
    @room = Room.new
  end

  def call(env)
    case env["PATH_INFO"]
    when "/" then [200, PLAIN.dup, ["echo\n"]]
    when "/echo" then upgrade(env) { |headers| [101, headers, method(:converse)] }
    when "/everybody" then upgrade(env) { |headers| [101, headers, @room.method(:converse)] }
    when "/hijacked" then upgrade(env) { |headers| hijacked(env, headers) }
    else [404, PLAIN.dup, ["/echo, /everybody or /hijacked: a WebSocket\n"]]
    end
  end

  private

  def upgrade(env)
    key = env["HTTP_SEC_WEBSOCKET_KEY"]
    asked = env["REQUEST_METHOD"] == "GET" && upgrade?(env) && KEY.match?(key.to_s)
    return [426, { **PLAIN, "upgrade" => "websocket" }, ["this is a WebSocket\n"]] unless asked

    yield({ "sec-websocket-accept" => Digest::SHA1.base64digest(key + ACCEPTED),
            **switch(env) })
  end

  def upgrade?(env)
    env["HTTP_SEC_WEBSOCKET_VERSION"] == "13" &&
      (protocols(env).include?("websocket") || env["HTTP_UPGRADE"].to_s.casecmp?("websocket"))
  end

  # A server that knows the header rack.protocol writes these itself.
  def switch(env)
    return { "rack.protocol" => "websocket" } if protocols(env).any?

    { "upgrade" => "websocket", "connection" => "upgrade" }
  end

  def protocols(env) = Array(env["rack.protocol"])

  def hijacked(env, headers)
    return [501, PLAIN.dup, ["this server hands no connection over\n"]] unless env["rack.hijack?"]

    io = env["rack.hijack"].call
    lines = { **headers.except("rack.protocol"), "upgrade" => "websocket",
              "connection" => "upgrade" }.map { |name, value| "#{name}: #{value}\r\n" }
    io.write("HTTP/1.1 101 Switching Protocols\r\n#{lines.join}\r\n")
    @echoer.add(io)
    [200, {}, []] # which no server sends any more
  end

  def converse(stream)
    talk = Talk.new
    until talk.over?
      out = talk.answer(stream.readpartial(READ_BYTES))
      next if out.empty?

      stream.write(out)
      stream.flush if stream.respond_to?(:flush)
    end
  rescue IOError, SystemCallError
    nil # the client has hung up
  ensure
    stream.close
  end
end
