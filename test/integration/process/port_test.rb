# frozen_string_literal: true

require "test_helper"
require "socket"

module Mohs
  module Process
    class PortTest < TestCase
      test "a leased port can be bound, and is given back after the block" do
        answer = Port.lease do |port|
          TCPServer.new(Port::HOST, port).close
          assert_includes Port::RANGE, port
          assert_nil Port.send(:try, port, Port::HOST)
          @port = port
          :value
        end
        assert_equal :value, answer
        assert_nil MachineName.holder("#{Port::NAME}#{@port}")
      end

      test "more connections than the kernel has local ports for are refused, with what to do" do
        assert_nil Port.verify_local(500, what: "these", range: "32768\t33267\n")
        assert_nil Port.verify_local(70_000, what: "these", range: nil)
        error = assert_raises(EnvironmentError) do
          Port.verify_local(501, what: "these", range: "32768\t33267\n")
        end
        assert_match(/local port .*500\. .* sysctl -w net/,
                     error.message)
      end

      test "a lease lasts until its release, which may be repeated" do
        lease = Port.lease
        assert_equal ::Process.pid, MachineName.holder("#{Port::NAME}#{lease.number}").pid
        2.times { lease.release }
        assert_nil MachineName.holder("#{Port::NAME}#{lease.number}")
      end

      test "no two leases have the same number, in several processes and TMPDIRs at once" do
        with_files do |folder|
          readers = Array.new(4) { |number| lease_many("#{folder}/#{number}") }
          numbers = readers.flat_map { |reader| reader.gets.split(",") }
          assert_equal 200, numbers.uniq.size
          assert_equal 4, Dir.children(folder).size
          assert_empty Dir.glob("#{folder}/*/*"), "no file is needed"
        ensure
          readers.each(&:close)
        end
      end

      test "a port that somebody listens on is passed over" do
        taken = TCPServer.new(Port::HOST, 0)
        refute Port.send(:free?, taken.addr[1], Port::HOST)
        assert_nil Port.send(:try, taken.addr[1], Port::HOST)
        assert_nil MachineName.holder("#{Port::NAME}#{taken.addr[1]}")
      ensure
        taken.close
      end

      # As where load comes from another machine, and goes to an address that it reaches.
      test "a port is free at the address that it is leased for" do
        taken = TCPServer.new("127.0.0.2", 0)

        refute Port.send(:free?, taken.addr[1], "127.0.0.2")
        assert_includes Port::RANGE, Port.lease(host: "127.0.0.2", &:itself)
        assert_includes Port::RANGE, Port.lease(host: "::1", &:itself) if
          Socket.ip_address_list.any?(&:ipv6_loopback?)
      ensure
        taken.close
      end

      # 192.0.2.0/24 is no network's (RFC 5737).
      test "an address that this machine lacks is an error that names it, and leaves nothing" do
        error = assert_raises(EnvironmentError) { Port.send(:try, 20_000, "192.0.2.1") }

        assert_match(/\A192\.0\.2\.1 .*address/, error.message)
        assert_nil MachineName.holder("#{Port::NAME}20000")
      end

      # Agoo binds without SO_REUSEADDR.
      test "a port whose last server left connections in TIME_WAIT is passed over" do
        server = TCPServer.new(Port::HOST, 0)
        client = TCPSocket.new(Port::HOST, server.addr[1])
        server.accept.close
        client.read
        client.close
        number = server.addr[1]
        server.close

        refute Port.send(:free?, number, Port::HOST)
      ensure
        [server, client].compact.each(&:close)
      end

      test "a lease of a process that was killed is free again" do
        with_files do |folder|
          reader = lease_many(folder)
          number = reader.gets.split(",").first.to_i
          assert_nil Port.send(:try, number, Port::HOST)
          ::Process.kill("KILL", reader.pid)
          reader.close
          lease = Port.send(:try, number, Port::HOST)
          assert_equal number, lease.number
          lease.release
        end
      end

      # Where leases were files, another user's link led root's mohs to change what it points at.
      test "a link that stands in the temporary folder is neither followed nor touched" do
        with_files("theirs/file" => "") do |folder|
          File.chmod(0o751, "#{folder}/theirs")
          File.symlink("theirs", "#{folder}/mohs-ports")
          reader = lease_many(folder)
          reader.gets

          assert_equal 0o40751, File.stat("#{folder}/theirs").mode
          assert_equal ["file"], Dir.children("#{folder}/theirs")
        ensure
          reader.close
        end
      end

      private

      # Another Ruby that leases 50 ports, tells them, and holds them until its pipe closes.
      def lease_many(folder)
        FileUtils.mkdir_p(folder)
        script = "require 'mohs'; port = Mohs::Process::Port; $stdout.sync = true;" \
                 "leases = Array.new(50) { port.lease };" \
                 "puts leases.map(&:number).join(','); $stdin.read"
        paths = $LOAD_PATH.flat_map { |path| ["-I", path] }
        IO.popen([{ "TMPDIR" => folder }, "ruby", *paths, "-e", script], "r+")
      end
    end
  end
end
