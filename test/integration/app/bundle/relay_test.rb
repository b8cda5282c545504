# frozen_string_literal: true

require "net/http"
require "test_helper"

module Mohs
  # Between a client without TLS and a server that speaks nothing else.
  class BundleRelayTest < TestCase
    include LoadHelper

    Relay = App::Bundle::Relay

    # A server with these answers, { path => the whole response }. Yields its port, the requests
    # that it got, and the environment that trusts it.
    def with_server(answers)
      server = TlsServer.new { |path| answers.fetch(path) }
      yield server.port, server.requests, server.trusted
    ensure
      server&.close
    end

    def ok(body, fields = "")
      "HTTP/1.1 200 OK\r\n#{fields}content-length: #{body.bytesize}\r\n\r\n#{body}"
    end

    def moved(place) = "HTTP/1.1 302 Found\r\nlocation: #{place}\r\ncontent-length: 0\r\n\r\n"

    def get(url, fields = {}) = Net::HTTP.get_response(URI(url), fields)

    test "what the server answers arrives, compressed as it was, and what was asked reaches it" do
      packed = Zlib.gzip("versions")
      answers = { "/versions?a=b" => ok(packed, "etag: \"1\"\r\ncontent-encoding: gzip\r\n") }
      with_server(answers) do |port, requests, env|
        found = Relay.during(env:) do |relay|
          get("#{relay.address}/localhost:#{port}/versions?a=b",
              "If-None-Match" => '"0"', "Accept-Encoding" => "gzip")
        end

        assert_equal ["200", '"1"', "gzip", packed],
                     [found.code, found["etag"], found["content-encoding"], found.body]
        assert_match(/^if-none-match: "0"\r$/i, requests.pop)
      end
    end

    test "a redirection is followed, with credentials for the first host only" do
      with_server("/c" => ok("end")) do |other, theirs, env|
        answers = { "/a" => moved("/b"), "/b" => moved("https://localhost:#{other}/c") }
        with_server(answers) do |own, mine, _|
          found = Relay.during(env:) do |relay|
            get("#{relay.address}/localhost:#{own}/a",
                "Authorization" => "Basic x",
                "X-Gemfile-Source" => "https://alice:s3cret@localhost:#{own}/")
          end

          assert_equal "end", found.body
          2.times { refute_match(/s3cret|gemfile/i, mine.pop) }
          refute_match(/authorization|s3cret/i, theirs.pop)
        end
      end
    end

    test "a redirection to anything but https is refused, and nobody is asked there" do
      with_server("/b" => ok("x")) do |other, asked, env|
        %W[http://localhost:#{other}/b ftp://x/y mailto:a@b https:/c].each do |place|
          with_server("/a" => moved(place)) do |own, *|
            found = Relay.during(env:) { |relay| get("#{relay.address}/localhost:#{own}/a") }

            assert_equal ["502", "localhost redirects to an address that is not over https"],
                         [found.code, found.message]
          end
        end
        assert_empty asked
      end
    end

    test "the relay serves https alone" do
      with_server("/a" => ok("x")) do |port, _, env|
        Relay.during(env:) do |relay|
          plain = relay.address.sub(/https\z/, "http")
          assert_equal "404", get("#{plain}/localhost:#{port}/a").code
        end
      end
    end

    test "credentials are sent to the host, which Bundler's own setting may trust" do
      with_server("/a" => moved("/b"), "/b" => ok("x")) do |port, requests, env|
        Relay.during(env: { "BUNDLE_SSL_CA_CERT" => env["SSL_CERT_FILE"] }) do |relay|
          get("#{relay.address}/localhost:#{port}/a", "Authorization" => "Basic x")
        end

        2.times { assert_match(/^authorization: Basic x\r$/i, requests.pop) }
      end
    end

    test "a folder of authorities is trusted, as Bundler does, wherever it is named from" do
      with_server("/a" => ok("x")) do |port, _, env|
        with_files("ca/#{format('%08x.0', TlsServer.certificate.subject.hash)}" =>
                     File.read(env["SSL_CERT_FILE"])) do |dir|
          Relay.during(env: { "BUNDLE_SSL_CA_CERT" => "ca" }, dir:) do |relay|
            assert_equal "x", get("#{relay.address}/localhost:#{port}/a").body
          end
        end
      end
    end

    test "nobody is checked if Bundler is told so" do
      with_server("/a" => ok("x")) do |port, *|
        { "0" => "200", "1" => "502", "" => "502" }.each do |mode, code|
          Relay.during(env: { "BUNDLE_SSL_VERIFY_MODE" => mode }) do |relay|
            assert_equal code, get("#{relay.address}/localhost:#{port}/a").code, mode
          end
        end
      end
    end

    test "the client's certificate is shown, and one that can't be read is named" do
      server = TlsServer.new(ask: true) { ok("x") }
      with_files("own.pem" => TlsServer.identity, "bad.pem" => "x") do |dir|
        bodies = %w[own.pem bad.pem none.pem].map do |file|
          env = { **server.trusted, "BUNDLE_SSL_CLIENT_CERT" => File.join(dir, file) }
          Relay.during(env:) do |relay|
            found = get("#{relay.address}/localhost:#{server.port}/a")
            [found.code, found.message[/\Assl_client_cert/]]
          end
        end

        assert_equal [["200", nil], *[%w[502 ssl_client_cert]] * 2], bodies
      end
    ensure
      server&.close
    end

    test "a proxy gets user and password as they were meant, and is named if it refuses them" do
      heads = Queue.new
      refuse = lambda do |socket|
        heads << socket.gets("\r\n\r\n")
        socket.write("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
      end
      open_raw(refuse) do |port|
        env = { "https_proxy" => "http://b%3Aob:p%40ss@127.0.0.1:#{port}" }
        found = Relay.during(env:) { |relay| get("#{relay.address}/gems.example.com/versions") }

        assert_equal ["502", "the proxy 127.0.0.1:#{port} answered: 407 " \
                             "\"Proxy Authentication Required\""], [found.code, found.message]
        sent = heads.pop[/^proxy-authorization: Basic (\S+)/i, 1]
        assert_equal "b:ob:p@ss", sent.unpack1("m")
      end
    end

    test "a server that can't be reached, or is not trusted, is an answer that says so" do
      silent = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
      with_server({}) do |port, _|
        Relay.during(env: {}) do |relay|
          [silent, port].each do |at|
            found = get("#{relay.address}/localhost:#{at}/versions")
            assert_equal "502", found.code
            assert_match(/\Alocalhost could not be reached: /, found.message)
          end
        end
      end
    end

    test "the user's proxies are for the server, not for the relay" do
      [{ "https_proxy" => "http://127.0.0.1:9" }, { "HTTP_PROXY" => "http://127.0.0.1:9" }]
        .each do |env|
          Relay.during(env: { **env, "NO_PROXY" => "intern" }) do |relay|
            assert_equal "intern,127.0.0.1", relay.variables["no_proxy"]
            found = get("#{relay.address}/gems.example.com/versions")
            assert_match(/\Agems\.example\.com could not.*127\.0\.0\.1:9/, found.message)
          end
        end
    end

    test "nobody gets anything without the token, nor after the end" do
      with_server("/" => ok("x")) do |port, requests, env|
        address = Relay.during(env:) do |relay|
          wrong = relay.address.sub(%r{/\h+/}, "/#{'0' * 32}/")
          assert_equal("404", get("#{wrong}/localhost:#{port}/").code)
          relay.address
        end

        assert_raises(SystemCallError) { get("#{address}/localhost:#{port}/") }
        assert_empty requests
      end
    end

    test "a response that is none is refused in words, and the relay goes on without a trace" do
      bad = ["SSH-2.0-foo\r\n\r\n", "HTTP/1.1 200 OK\r\nfoo bar\r\n\r\n",
             "HTTP/1.1 200 OK\r\nx-a: a\rb\r\ncontent-length: 1\r\n\r\nx",
             "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\nx", moved("https://a b/"),
             "\xff\xfe\r\n\r\n", ""]
      answers = bad.each_with_index.to_h { |answer, number| ["/#{number}", answer] }
      with_server(answers) do |port, _, env|
        Relay.during(env:) do |relay|
          _, printed = capture_io do
            bad.each_index do |number|
              found = get("#{relay.address}/localhost:#{port}/#{number}")
              assert_equal "502", found.code
              assert_match(/\A\S+ (?:sent no valid|could not be)\b.*: ./, found.message)
            end
          end
          assert_empty printed
        end
      end
    end

    test "what is not compressed after all arrives as it was sent" do
      with_server("/" => ok("abc", "content-encoding: gzip\r\n")) do |port, requests, env|
        Relay.during(env:) do |relay|
          strange(relay, "GET #{URI(relay.address).path}/localhost:#{port}/ HTTP/1.1\r\n\r\n")
            .then { |socket| assert_match(/ 200 OK\r\n.*\r\n\r\nabc\z/m, socket.read) }
        end

        assert_match(/^accept-encoding: identity\r$/i, requests.pop)
      end
    end

    test "a body is passed on as it comes, whatever frames it" do
      { "transfer-encoding: chunked" => ["3\r\none\r\n", "3\r\ntwo\r\n0\r\n\r\n"],
        "content-length: 6" => %w[one two], "x: y" => %w[one two] }.each do |field, (first, rest)|
        more = Queue.new
        answer = ["HTTP/1.1 200 OK\r\n#{field}\r\n\r\n#{first}", more].lazy.map do |part|
          part == more ? part.pop : part
        end
        with_server("/" => answer) do |port, _, env|
          body = Relay.during(env:) do |relay|
            Net::HTTP.start("127.0.0.1", URI(relay.address).port, read_timeout: 20) do |http|
              read = +""
              http.request_get("#{URI(relay.address).path}/localhost:#{port}/") do |found|
                found.read_body { |part| more << rest if (read << part) == "one" }
              end
              read
            end
          end
          assert_equal "onetwo", body
        end
      end
    end

    test "a body is not followed by anything, whether it is whole or breaks off" do
      [["content-length: 3", "one"], ["transfer-encoding: chunked", "3\r\none\r\n0\r\n\r\n"],
       ["content-length: 9", "one"], ["transfer-encoding: chunked", "3\r\none\r\n"]]
        .each do |field, part|
          with_server("/" => "HTTP/1.1 200 OK\r\n#{field}\r\n\r\n#{part}") do |port, _, env|
            Relay.during(env:) do |relay|
              path = "#{URI(relay.address).path}/localhost:#{port}/"
              found = strange(relay, "GET #{path} HTTP/1.1\r\n\r\n").read
              assert_includes found, field
              assert_operator found, :end_with?, "\r\n\r\n#{part}"
            end
          end
        end
    end

    # As whoever has no token would: opens the relay's port and sends this.
    def strange(relay, text = "")
      TCPSocket.new("127.0.0.1", URI(relay.address).port).tap { |socket| socket.write(text) }
    end

    test "connections that ask for nothing are ended after a while" do
      Relay.during(env: {}, head_s: 0.2) do |relay|
        ["", "GET /", "GET / HTTP/1.1\r\nx: y\r\n", "x" * (Relay::HEAD_BYTES + 1)].each do |text|
          socket = strange(relay, text)
          assert socket.wait_readable(20), text[0, 20]
          ended = begin
            socket.read
          rescue Errno::ECONNRESET
            ""
          end
          assert_empty ended
        end
      end
    end

    test "however many ask for nothing, those who ask are served, by a few threads" do
      with_server("/" => ok("x")) do |port, _, env|
        Relay.during(env:, head_s: 60) do |relay|
          before = Thread.list.size
          silent = Array.new(Relay::CONNECTIONS + 20) { strange(relay) }
          2.times { assert_equal "x", get("#{relay.address}/localhost:#{port}/").body }

          assert_operator Thread.list.size - before, :<=, Relay::CONNECTIONS + 1 # of Timeout
          silent.each(&:close)
        end
      end
    end

    # Accepting in the kernel has reserved a descriptor, so the first connection still gets one.
    test "it goes on after a time without free file descriptors" do
      Relay.during(env: {}) do |relay|
        limits = ::Process.getrlimit(:NOFILE)
        files = Array.new(3) { File.open(File::NULL) }
        ::Process.setrlimit(:NOFILE, files.last.fileno + 1, limits.last)
        loop { files << File.open(File::NULL) }
      rescue Errno::EMFILE
        files.pop.close
        files << strange(relay)
        sleep 0.3
        ::Process.setrlimit(:NOFILE, *limits)
        files << strange(relay, "GET /x HTTP/1.1\r\n\r\n")
        assert files.last.wait_readable(20)
        assert_match(/ 404 /, files.last.read)
      ensure
        ::Process.setrlimit(:NOFILE, *limits)
        files.each(&:close)
      end
    end

    # What Bundler prints of a source that denies access: only the host of its address, here ours.
    REQUIRED = "Authentication is required for 127.0.0.1.\nPlease supply credentials for this " \
               "source. You can do this by running:\n`bundle config set --global 127.0.0.1 " \
               "username:password`\nor by storing the credentials in the `BUNDLE_127__0__0__1` " \
               "environment\nvariable\n"
    REFUSED = "Bad username or password for 127.0.0.1.\nPlease double-check.\n"

    test "where Bundler printed the host alone, it is that of the server that denied access" do
      denied = "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n"
      with_server("/versions" => denied) do |port, _, env|
        Relay.during(env:) do |relay|
          assert_equal REQUIRED, relay.restore(REQUIRED)
          assert_equal "401", get("#{relay.address}/localhost:#{port}/versions").code
          others = "connect to 127.0.0.1:5432, http://127.0.0.1:9292/ (geminabox)\n"
          printed = REQUIRED.gsub("127.0.0.1", "localhost").sub("127__0__0__1", "LOCALHOST")
          assert_equal "#{printed}#{others}from https://a.b/",
                       relay.restore("#{REQUIRED}#{others}from #{relay.address}/a.b/")
        end
      end
    end

    test "several servers that denied access are named in their order" do
      denied = ->(code) { "HTTP/1.1 #{code} no\r\ncontent-length: 0\r\n\r\n" }
      answers = { "/a" => denied.call(401), "/b" => denied.call(403), "/c" => ok("x") }
      forbidden = "Access token could not be authenticated for 127.0.0.1.\n"
      with_server(answers) do |port, *|
        [%w[localhost 127.0.0.1], %w[127.0.0.1 localhost]].each do |hosts|
          Relay.during(env: { "BUNDLE_SSL_VERIFY_MODE" => "0" }) do |relay|
            %w[a a c b].zip(hosts.values_at(0, 0, 1, 1)) do |path, host|
              get("#{relay.address}/#{host}:#{port}/#{path}")
            end
            shown = [REFUSED, forbidden].zip(hosts).map { |text, host| text.sub("127.0.0.1", host) }

            assert_equal shown.join, relay.restore("#{REFUSED}#{forbidden}")
          end
        end
      end
    end

    # A connection that nothing ends at once, as while a name is resolved.
    class Stuck < Relay
      GATE = Queue.new

      private

      def get(*) = Thread.handle_interrupt(Object => :never) { GATE.pop }
    end

    test "the end does not wait for a name that is being resolved" do
      relay = Stuck.new(env: {})
      strange(relay, "GET #{URI(relay.address).path}/slow.example/versions HTTP/1.1\r\n\r\n")
      sleep 0.01 until Stuck::GATE.num_waiting.positive?
      stuck = Thread.list.find { |thread| thread[:asked] }
      closing = Thread.new { relay.close }

      assert closing.join(20), "it waits"
      assert_predicate stuck, :alive?
    ensure
      Stuck::GATE << nil
      [closing, stuck].compact.each(&:join)
    end

    test "what Bundler printed names the server, with the credentials that it was sent" do
      Relay.during(env: {}) do |relay|
        with_user = relay.address.sub("//", "//alice:s3cret@")
        assert_equal "from https://alice:s3cret@a.b/ (403)",
                     relay.restore("from #{with_user}/a.b/ (403)")
      end
    end
  end
end
