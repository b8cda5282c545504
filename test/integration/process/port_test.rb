# frozen_string_literal: true

require "test_helper"
require "socket"

module Mohs
  module Process
    class PortTest < TestCase
      test "a leased port can be bound, and is given back after the block" do
        with_files do |folder|
          answer = Port.lease(folder:) do |port|
            TCPServer.new(Port::HOST, port).close
            assert_includes Port::RANGE, port
            assert_equal [port.to_s], Dir.children(folder)
            :value
          end
          assert_equal :value, answer
          assert_empty Dir.children(folder)
        end
      end

      test "more connections than the kernel has local ports for are refused, with what to do" do
        assert_nil Port.verify_local(500, what: "these", range: "32768\t33267\n")
        assert_nil Port.verify_local(70_000, what: "these", range: nil)
        error = assert_raises(EnvironmentError) do
          Port.verify_local(501, what: "these", range: "32768\t33267\n")
        end
        assert_match(/\Athese need a local port each, and the kernel gives 500\. .* sysctl -w net/,
                     error.message)
      end

      test "a lease lasts until its release, which may be repeated" do
        with_files do |folder|
          lease = Port.lease(folder:)
          assert_equal [lease.number.to_s], Dir.children(folder)
          2.times { lease.release }
          assert_empty Dir.children(folder)
        end
      end

      test "no two leases have the same number, in several processes at once" do
        with_files do |folder|
          readers = Array.new(4) { lease_many(folder) }
          numbers = readers.flat_map { |reader| reader.gets.split(",") }
          assert_equal 200, numbers.uniq.size
          assert_equal 200, Dir.children(folder).size
        ensure
          readers.each(&:close)
        end
      end

      test "a port that somebody listens on is passed over" do
        with_files do |folder|
          taken = TCPServer.new(Port::HOST, 0)
          refute Port.send(:free?, taken.addr[1])
          assert_nil Port.send(:try, taken.addr[1], folder)
          assert_empty Dir.children(folder)
        ensure
          taken.close
        end
      end

      test "a lease of a process that was killed is free again" do
        with_files do |folder|
          reader = lease_many(folder)
          number = reader.gets.split(",").first.to_i
          assert_nil Port.send(:try, number, folder)
          ::Process.kill("KILL", reader.pid)
          reader.close
          lease = Port.send(:try, number, folder)
          assert_equal number, lease.number
          lease.release
        end
      end

      private

      # Another Ruby that leases 50 ports, tells them, and holds them until its pipe closes.
      def lease_many(folder)
        script = "require 'mohs'; port = Mohs::Process::Port; $stdout.sync = true;" \
                 "leases = Array.new(50) { port.lease(folder: ARGV[0]) };" \
                 "puts leases.map(&:number).join(','); $stdin.read"
        paths = $LOAD_PATH.flat_map { |path| ["-I", path] }
        IO.popen(["ruby", *paths, "-e", script, folder], "r+")
      end
    end
  end
end
