# frozen_string_literal: true

# Services::Mock: mock_service.rb SOCKET [PORT]. Sends each client its version and settings.
require "socket"

File.unlink(ARGV[0]) if File.exist?(ARGV[0])
listening = [UNIXServer.new(ARGV[0])]
listening << TCPServer.new("127.0.0.1", ARGV[1].to_i) unless ARGV[1].to_s.empty?

$stdout.sync = true
puts "mock service is ready"
trap("TERM") { exit }
loop do
  IO.select(listening).first.each do |server|
    client = server.accept
    begin
      client.write("1.0\nmode=test\n")
    rescue Errno::EPIPE
      nil # it has hung up
    ensure
      client.close
    end
  end
end
