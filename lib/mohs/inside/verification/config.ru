# frozen_string_literal: true

# The application by which Mohs::Verification finds out what a server does. For any Ruby from 2.4
# on, and for servers that evaluate it without its path. Its paths:
#
#   /                     a constant text
#   /held?S&NAME          after S seconds: "pid thread from to", when the request began and ended;
#                         makes the file NAME at the beginning
#   /parts?NAME           a body without length in two parts; the second says "seen" if the file
#                         NAME was made meanwhile, by the client that had received the first
#   /stream?NAME          an event stream: the first event at once, the last one, at most half a
#                         second late, when the client makes the file NAME
#   /socket               a WebSocket by rack.hijack, which returns the first message
require "digest/sha1"

folder = ENV.fetch("MOHS_VERIFICATION")
File.write(File.join(folder, "loads"), "#{Process.pid}\n", mode: "a")
raise ENV["MOHS_VERIFICATION_BROKEN"] if ENV["MOHS_VERIFICATION_BROKEN"]

text = lambda do |body|
  [200, { "content-type" => "text/plain", "content-length" => body.bytesize.to_s }, [body]]
end
now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }

held = lambda do |query|
  from = now.call
  seconds, name = query.split("&")
  File.write(File.join(folder, name), "") if name
  sleep(Float(seconds))
  text.call("#{Process.pid} #{Thread.current.object_id} #{from} #{now.call}\n")
end

parts = Class.new do
  def initialize(file)
    @file = file
  end

  def each
    yield "first\n"
    # At most two seconds: a server may collect the whole body before it sends any of it.
    200.times { File.exist?(@file) ? break : sleep(0.01) }
    yield File.exist?(@file) ? "seen\n" : "unseen\n"
  end
end

# Idle between its two events, as the streams that people keep open mostly are. A thousand of them
# look for their files at the same time.
events = Class.new do
  def initialize(file)
    @file = file
  end

  def each
    yield "data: first\n\n"
    # A minute: the client may be gone, and nothing is written that would tell.
    120.times { File.exist?(@file) ? break : sleep(0.5) }
    yield "data: last\n\n" if File.exist?(@file)
  end
end

# RFC 6455: the answer to its key, then one message of fewer than 126 bytes, masked by the client.
websocket = lambda do |io, key|
  begin
    accept = [Digest::SHA1.digest("#{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11")].pack("m0")
    io.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
             "Sec-WebSocket-Accept: #{accept}\r\n\r\n")
    io.flush
    length = io.read(2).unpack("C2").last & 0x7f
    mask = io.read(4).bytes
    message = io.read(length).bytes.each_with_index.map { |byte, at| byte ^ mask[at % 4] }
    io.write([0x81, length, *message].pack("C*"))
    io.flush
  ensure
    io.close
  end
end

socket = lambda do |env|
  hijack = env["rack.hijack"] or next text.call("no rack.hijack\n")

  io = hijack.call
  io = env["rack.hijack_io"] unless io.respond_to?(:write)
  Thread.new { websocket.call(io, env["HTTP_SEC_WEBSOCKET_KEY"]) }
  [-1, {}, []]
end

run(lambda do |env|
  query = env["QUERY_STRING"]
  case env["PATH_INFO"]
  when "/held" then held.call(query)
  when "/parts" then [200, { "content-type" => "text/plain" }, parts.new(File.join(folder, query))]
  when "/stream"
    [200, { "content-type" => "text/event-stream" }, events.new(File.join(folder, query))]
  when "/socket" then socket.call(env)
  else text.call("Hello\n")
  end
end)
