# frozen_string_literal: true

require "test_helper"

module Mohs
  class WireTest < TestCase
    test "adds only what HTTP asks for" do
      assert_equal "GET / HTTP/1.1\r\nHost: h:1\r\n\r\n", render
      assert_equal "GET / HTTP/1.1\r\nHost: h:1\r\nConnection: close\r\n\r\n", render(close: true)
      assert_equal "POST /a?b=c HTTP/1.1\r\nHost: h:1\r\nContent-Length: 5\r\n" \
                   "X: y\r\n\r\nh\u00e9\u00e9".b,
                   render({ method: "POST", path: "/a?b=c", headers: { "X" => "y" },
                            body: "h\u00e9\u00e9" })
      assert_equal "POST / HTTP/1.1\r\nHost: h:1\r\nContent-Length: 0\r\n\r\n",
                   render({ method: "POST", body: "" })
    end

    test "the request's own header wins, in any case" do
      headers = { "host" => "other", "CONTENT-LENGTH" => "2", "connection" => "keep-alive" }
      assert_equal "PUT / HTTP/1.1\r\nhost: other\r\nCONTENT-LENGTH: 2\r\n" \
                   "connection: keep-alive\r\n\r\nab",
                   render({ method: "PUT", headers:, body: "ab" }, close: true)
    end

    test "a method that may have a body tells a length, unless the body is framed otherwise" do
      %w[POST PUT PATCH].each do |method|
        assert_includes render({ method: }), "Content-Length: 0\r\n"
        headers = { "Transfer-Encoding" => "chunked" }
        refute_match(/content-length/i, render({ method:, headers:, body: "0\r\n\r\n" }))
      end
      %w[GET HEAD DELETE OPTIONS].each { |method| refute_match(/length/i, render({ method: })) }
    end

    test "is binary, and paths may be UTF-8" do
      assert_equal Encoding::BINARY, render.encoding
      assert_includes render({ path: "/\u00e9" }), "GET /\u00e9 HTTP/1.1".b
    end

    test "what would break the request is refused" do
      [{ method: "GE T" }, { method: "" }, { path: "" }, { path: "/a b" }, { path: "/\r\nX: y" },
       { headers: { "A B" => "c" } }, { headers: { "A" => "b\r\nC: d" } },
       { headers: { "" => "b" } }, { headers: { "A" => "b\0" } }].each do |bad|
        assert_raises(UsageError, bad.inspect) { render(bad) }
      end
    end

    test "the Host header names port and IPv6" do
      assert_equal "127.0.0.1:80",
                   Load::Address.host_header(Load::Target.new(host: "127.0.0.1", port: 80))
      assert_equal "[::1]:80", Load::Address.host_header(Load::Target.new(host: "::1", port: 80))
      assert_equal "[::1]:80", Load::Address.host_header(Load::Target.new(host: "[::1]", port: 80))
      assert_equal "localhost", Load::Address.host_header(Load::Target.new(unix: "/tmp/x"))
    end

    private

    def render(fields = {}, **options)
      Load::Wire.render(Load::Request.new(**fields), host: "h:1", **options)
    end
  end
end
