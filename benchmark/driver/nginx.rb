# frozen_string_literal: true

require "fileutils"
require "socket"
require "tmpdir"

module Mohs
  module DriverBenchmark
    # nginx with one worker that responds with 100 bytes from memory, on TCP and on a unix socket.
    class Nginx
      attr_reader :port, :path, :pid

      def self.open(cpu)
        Dir.mktmpdir("mohs-nginx") do |folder|
          server = new(folder, cpu)
          yield server
        ensure
          server&.stop
        end
      end

      def initialize(folder, cpu)
        @port = TCPServer.open("127.0.0.1", 0) { |socket| socket.addr[1] }
        @path = File.join(folder, "s")
        config = File.join(folder, "nginx.conf")
        File.write(config, configuration(folder))
        @pid = ::Process.spawn("taskset", "-c", cpu.to_s, "nginx", "-c", config, "-p", folder, "-e",
                               File.join(folder, "log"))
        sleep 0.02 until up?
      end

      def stop
        ::Process.kill("TERM", pid)
        ::Process.wait(pid)
      end

      def answer
        TCPSocket.open("127.0.0.1", port) do |socket|
          socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
          socket.read.split("\r\n\r\n", 2).last
        end
      end

      private

      def up?
        raise "nginx does not start" if ::Process.wait(pid, ::Process::WNOHANG)

        File.socket?(path) && answer
      rescue Errno::ECONNREFUSED
        false
      end

      def configuration(folder)
        paths = %w[client_body proxy fastcgi uwsgi scgi].map do |name|
          "#{name}_temp_path #{folder}/#{name};"
        end.join
        "daemon off; master_process off; pid #{folder}/pid; error_log #{folder}/log crit; " \
          "events { worker_connections 2000; } " \
          "http { #{paths} access_log off; keepalive_requests 1000000000; keepalive_timeout 600; " \
          "server { listen 127.0.0.1:#{port}; listen unix:#{path}; " \
          "location / { return 200 \"#{'x' * 99}\\n\"; } } }"
      end
    end
  end
end
