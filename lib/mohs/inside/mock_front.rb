# frozen_string_literal: true

# A reverse proxy that needs nothing but a Ruby: the member `mock` of mohs's fronts. Each connection
# gets its own connection to the server, and bytes are forwarded as they arrive; if there is no
# server, the first request gets a 502 and the connection is closed. After TERM it accepts no new
# connections, and exits with the last connection, or after a second.
#
#     ruby mock_front.rb HOST:PORT HOST:PORT|/PATH
require "socket"

def connect(address)
  host, port = address.split(":")
  port ? TCPSocket.new(host, port.to_i) : UNIXSocket.new(address)
end

def pass(from, to)
  loop { to.write(from.readpartial(65_536)) }
rescue SystemCallError, IOError
  [from, to].each { |socket| socket.close unless socket.closed? }
end

def serve(client, upstream)
  server = connect(upstream)
  back = Thread.new { pass(server, client) }
  pass(client, server)
  back.join
rescue SystemCallError
  client.gets("\r\n\r\n")
  client.write("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  client.close
end

host, port = ARGV[0].split(":")
listener = TCPServer.new(host, port.to_i)
connections = Queue.new
stopping = Queue.new
trap("TERM") { stopping << true }
accepting = Thread.new do
  loop { connections << Thread.new(listener.accept) { |client| serve(client, ARGV[1]) } }
end
stopping.pop
accepting.kill.join
listener.close
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 1
until connections.empty?
  connections.pop.join([deadline - Process.clock_gettime(Process::CLOCK_MONOTONIC), 0].max)
end
