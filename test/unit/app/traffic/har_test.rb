# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class Traffic
      # What is made of the entries of a HAR.
      class HarTest < TestCase
        include Screens

        # The golden file of its sentences (Screens#assert_said).
        SAID = "said-app-traffic"

        def recorded(url = "https://a.example/x", method: "GET", status: 200, type: "text/html",
                     headers: {}, **request)
          headers = headers.map { |name, value| { "name" => name, "value" => value } }
          { "request" => { "url" => url, "method" => method, "headers" => headers,
                           **request.transform_keys(&:to_s) },
            "response" => { "status" => status, "content" => { "mimeType" => type } } }
        end

        def read(*entries)
          text = JSON.generate({ "log" => { "version" => "1.2", "entries" => entries } })
          found = []
          Formats::Har.new.read(Lines.new(StringIO.new(text.b))) { |entry| found << entry }
          found
        end

        def sent(...) = read(recorded(...)).first

        test "the page's own host is that of the first page, not of a redirect to it" do
          entries = read(recorded("http://old.example/", status: 301),
                         recorded("https://a.example/x.css", type: "text/css"),
                         recorded("https://b.example/"),
                         recorded("https://b.example/y", status: 404))

          assert_equal [true, true, false, false], entries.map { |one| !one.fault.nil? }
          assert_said(entries.filter_map(&:fault).uniq.join)
          assert_nil read(recorded("https://a.example/x", type: "application/json")).first.fault
        end

        test "of an address its path and query are sent" do
          { "https://a.example" => "/", "https://a.example?x=1" => "/?x=1",
            "https://u:p@a.example/a/b?c=d#e" => "/a/b?c=d" }.each do |url, target|
            assert_equal target, sent(url).target
          end
          assert sent("ftp://a.example/").fault
        end

        test "a page was answered 200 to 299" do
          hosts = [199, 200, 299, 300].map do |status|
            read(recorded("https://b.example/", status:), recorded("https://a.example/"))
              .map { |one| one.fault.nil? }
          end

          assert_equal [[false, true], [true, false], [true, false], [false, true]], hosts
        end

        test "without a page the host is that of the first request" do
          found = read(*%w[a b b].map { |host| recorded("https://#{host}.example/", type: "x/y") })

          assert_equal [true, false, false], found.map { |one| one.fault.nil? }
        end

        test "an address without a host is none" do
          assert sent("https:///x").fault
        end

        test "a document begins within its first five lines" do
          counts = [4, 5].map { |empty| Formats::Har.likeness([*[""] * empty, '{ "log": {']) }

          assert_equal [5, 0], counts
          assert Formats::Har.line?(%(\n {"log" : {))
          refute Formats::Har.line?(%({"logs": {))
        end

        test "a header that is dropped twice is told once" do
          entry = recorded("https://a.example/x")
          entry["request"]["headers"] = [{ "name" => "Cookie", "value" => "a" },
                                         { "name" => "cookie", "value" => "b" }]

          assert_equal %w[cookie], read(entry).first.dropped
        end

        test "headers of the connection, of the browser and secrets are not sent" do
          request = sent(headers: { "Accept" => "a", "Host" => "h", ":path" => "/", "TE" => "t",
                                    "If-None-Match" => "e", "Sec-Fetch-Mode" => "m",
                                    "Proxy-X" => "p", "Cookie" => "c", "X-Api-Key" => "k",
                                    "X-Session" => "s",
                                    "Content-Length" => "0", "Range" => "r" })

          assert_equal({ "Accept" => "a" }, request.headers)
          assert_equal %w[cookie if-none-match proxy-x range te x-api-key
                      x-session], request.dropped.sort
        end

        test "a body is its text, or a form's fields" do
          text = { "mimeType" => "application/json", "text" => '{"a":1}' }
          form = { "mimeType" => "application/x-www-form-urlencoded; charset=utf-8",
                   "params" => [{ "name" => "a b", "value" => "ü" }, { "name" => "c" }] }

          assert_equal ['{"a":1}', nil], sent(postData: text).then { |one| [one.body, one.fault] }
          assert_equal "a+b=%C3%BC&c", sent(postData: form).body
          assert_equal [nil, nil], sent.then { |one| [one.body, one.fault] }
        end

        test "a body that was there and is not told is a fault" do
          [{ bodySize: 1 }, { headers: { "content-TYPE" => "text/plain" } },
           { postData: { "mimeType" => "a/b", "text" => "QQ==", "encoding" => "base64" } },
           { postData: { "mimeType" => "a/b", "params" => [{ "name" => "a", "value" => "b" }] } },
           { postData: { "mimeType" => "application/x-www-form-urlencoded" } }].each do |request|
            assert_match(/body .*HAR/, sent(**request).fault, request)
          end
          [{ bodySize: 0 }, { bodySize: -1 }].each { |request| assert_nil sent(**request).fault }
        end

        test "a secret in a body is a fault, where it has a value" do
          { "a=1&password=x" => true, "password=x" => true, "password=&a=1" => false,
            '{"a":{"token":"x"}}' => true, '{"token":""}' => false, "my password=x" => false,
            '{"keyword":"x"}' => false, "<a><pwd>x</pwd></a>" => true, "<a>x</a>" => false,
            'mutation { a(pass: "x") }' => true }.each do |text, secret|
            data = { "mimeType" => "text/plain", "text" => text }
            assert_equal secret, !sent(postData: data).fault.nil?, text
          end
        end

        test "what mohs can't send is a fault that says why" do
          assert_said(sent(headers: { "a b" => "c" }).fault)
        end

        test "a request without an answer has the status 0" do
          assert_equal [200, 0, 0], read(recorded, recorded(status: nil), recorded(status: "0"))
            .map(&:status)
        end

        test "a HAR is known by how it begins, and is one from its first to its last line" do
          assert_equal 3, Formats::Har.likeness(["{", " \"log\" :", "{"])
          assert_equal 1, Formats::Har.likeness(["\xEF\xBB\xBF{\"log\":{".b])
          assert_equal 0, Formats::Har.likeness(["x{\"log\":{"])
          assert_equal 0, Formats::Har.likeness(["{\"logs\":{"])
        end
      end
    end
  end
end
