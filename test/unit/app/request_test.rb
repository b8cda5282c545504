# frozen_string_literal: true

require "test_helper"
require "json"

module Mohs
  class App
    class RequestTest < TestCase
      include Screens

      test "a path is all it needs" do
        request = Request.build(path: "/products?page=2")

        assert_equal ["GET", "/products?page=2", {}, nil, 1, nil, false, []], request.to_a
        assert_equal "GET /products?page=2", request.to_s
        assert_predicate request, :frozen?
        assert_equal request, Request.new(method: "GET", path: "/products?page=2")
      end

      test "a body gets a content type unless a header sets it" do
        form = Request.build(method: "post", path: "/", body: "a=1")
        json = Request.build(method: "post", path: "/", body: " {\"a\":1}")
        xml = Request.build(method: "put", path: "/", body: "<a/>",
                            headers: { "content-type" => "text/xml" })

        assert_equal "application/x-www-form-urlencoded", form.header("Content-Type")
        assert_equal "application/json", json.header("content-type")
        assert_equal({ "content-type" => "text/xml" }, xml.headers)
        assert_nil xml.header("Accept")
        %w[[1] x[1]].zip(%w[json x-www-form-urlencoded]) do |body, kind|
          assert_equal "application/#{kind}", Request.build(path: "/", body:).header("Content-Type")
        end
      end

      test "a body read as bytes is text again" do
        assert_equal Encoding::UTF_8,
                     Request.build(method: "post", path: "/", body: "ü".b).body.encoding
      end

      test "it survives JSON" do
        request = Request.build(method: "post", path: "/", body: "ü=1",
                                headers: { "Host" => "shop.example" }, expect: "x")
        hash = JSON.parse(JSON.generate(request.to_h), symbolize_names: true)

        assert_equal request, Request.new(**hash, headers: hash[:headers].transform_keys(&:to_s))
      end

      test "given headers replace its own" do
        request = Request.build(path: "/", headers: { "Accept" => "a" }).with_headers("Host" => "b")

        assert_equal({ "Accept" => "a", "Host" => "b" }, request.headers)
      end

      test "the header of an option is split" do
        assert_equal ["Cookie", "a=1; b=2:3"], Request.parse_header("Cookie: a=1; b=2:3")
        assert_equal ["X-Empty", ""], Request.parse_header("X-Empty:")
        assert_equal ["X-Padded", "a b"], Request.parse_header(" X-Padded :  a b ")
      end

      REFUSED = {
        "an address" => { path: "http://127.0.0.1/x" },
        "a path without slash" => { path: "products" },
        "a path with a space" => { path: "/a b" },
        "a path with a fragment" => { path: "/a#b" },
        "a path with a NUL" => { path: "/a\0" },
        "a weight of a half" => { path: "/", weight: 0.5 },
        "a value with a NUL" => { path: "/", headers: { "a" => "\0" } },
        "a name with a colon behind it" => { path: "/", headers: { "a:" => "c" } },
        "closing by itself" => { path: "/", headers: { "CONNECTION" => "close" } },
        "chunks of its own" => { path: "/", headers: { "Transfer-Encoding" => "chunked" } },
        "a path with a line break" => { path: "/a\r\nX: y" },
        "an unknown method" => { path: "/", method: "GTE" },
        "a weight of nothing" => { path: "/", weight: 0 },
        "a name with a space" => { path: "/", headers: { "a b" => "c" } },
        "a value over two lines" => { path: "/", headers: { "a" => "b\r\nc: d" } },
        "framing of its own" => { path: "/", headers: { "Content-Length" => "3" } },
        "a body of bytes" => { path: "/", method: "post", body: "\xff" },
      }.freeze

      test "what is no request is refused with the reason" do
        told = REFUSED.transform_values do |arguments|
          assert_raises(UsageError) { Request.build(**arguments) }.message
        end
        assert_told "mistakes-requests", told
      end

      test "a header without colon is refused" do
        error = assert_raises(UsageError) { Request.parse_header("Cookie") }

        assert_match(/Name: value/, error.message)
      end
    end
  end
end
