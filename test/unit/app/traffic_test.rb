# frozen_string_literal: true

require "test_helper"
require "zlib"

module Mohs
  class App
    class TrafficTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-app"

      FIXTURES = File.expand_path("../../fixtures/traffic", __dir__)

      def fixture(name) = File.join(FIXTURES, name)

      def read(*names, **options) = Traffic.read(names, dir: FIXTURES, **options)

      def weights(mix) = mix.requests.to_h { |request| [request.to_s, request.weight] }

      def line(path, status: 200, method: "GET")
        "::1 - - [10/Oct/2025:13:55:36 +0200] \"#{method} #{path} HTTP/1.1\" #{status} 1\n"
      end

      def mix(*lines, **options)
        with_files("access.log" => lines.join) do |dir|
          Traffic.read(["access.log"], dir:, **options)
        end
      end

      def refusal(files, name = files.keys.first, **options)
        with_files(files) do |dir|
          return assert_raises(UsageError) { Traffic.read([name], dir:, **options) }.message
        end
      end

      test "requests are weighted by their counts, and are optional" do
        mix = read("combined.log")

        assert_equal({ "GET /products?page=2&q=caf%C3%A9" => 2, "GET /" => 1,
                       "GET /reset?lang=de" => 1, "HEAD /up" => 1 }, weights(mix))
        assert(mix.requests.all?(&:optional))
      end

      test "requests left out are counted, and reported with what can be done about it" do
        assert_said(read("combined.log").notes.join("\n"))
      end

      test "what precedes the method makes it no request" do
        assert_equal({ "that are not HTTP" => 1 },
                     mix(line("/"), line("/b", method: "\\x16GET")).left_out)
      end

      test "a request without a method is none; a client may say nothing of itself" do
        assert_equal({ "that are not HTTP" => 1 },
                     mix(line("/"), line("/b", method: "")).left_out)
        silent = mix(*%w[/a /b].map { |path| "#{line(path).chomp} \"\" \"\"\n" })

        assert_equal [2, 0], [silent.kept, silent.unreadable[:lines]]
      end

      test "of lines that could all be read, and are kept, nothing else is said" do
        refute_match(/could not be read|left out/, mix(line("/"), "  \n", line("/")).notes.join)
      end

      test "what follows a line's last field is another field, or it is no such line" do
        agent = line("/").chomp + ' "-" "curl"'
        result = mix(line("/"), *["#{agent}\n"] * 5, "#{agent} 0.1\n", "#{agent}x\n")

        assert_equal ["combined", 2], [result.files.first[:format], result.unreadable[:lines]]
      end

      test "headers are told in the order of how often they were not sent" do
        entries = [%w[cookie], %w[cookie origin], %w[origin], %w[origin]].map do |names|
          { "request" => { "url" => "https://a.example/", "method" => "GET",
                           "headers" => names.map { |name| { "name" => name, "value" => "v" } } },
            "response" => { "status" => 200, "content" => { "mimeType" => "text/html" } } }
        end
        text = JSON.generate({ "log" => { "entries" => entries } })
        result = with_files("a.har" => text) { |dir| Traffic.read(["a.har"], dir:) }

        assert_match(/headers not sent: origin, cookie$/, result.notes.join("\n"))
      end

      test "writes and static files are included on request" do
        lines = [line("/a", method: "POST", status: 201), line("/a.css"), line("/", status: 302)]

        assert_equal({ "POST /a" => 1, "GET /a.css" => 1 },
                     weights(mix(*lines, writes: true, assets: true)))
        assert_equal({ "that were redirected" => 1 },
                     mix(*lines, writes: true, assets: true).left_out)
      end

      test "the most frequent are kept, and their share is reported" do
        mix = mix(*[line("/rare")], *[line("/often")] * 6, *[line("/sometimes")] * 3, top: 2)

        assert_equal({ "GET /often" => 6, "GET /sometimes" => 3 }, weights(mix))
        assert_equal [10, 3, 9, 0.9], mix.document.values_at(:repeatable, :distinct, :kept, :share)
        assert_said(mix.notes)
      end

      test "fifty are kept where nothing else is asked for" do
        mix = mix(*Array.new(60) { |number| line("/#{number}") })

        assert_equal [50, 60], [mix.requests.size, mix.distinct]
      end

      test "large numbers are written in groups of three" do
        file = { path: "a.log", format: "rails", lines: 1_234_567 }
        mix = Traffic::Mix.new(requests: [], files: [file], logged: 12_345, repeatable: 1000,
                               distinct: 999, short_by: 0, kept: 1000, left_out: {},
                               unreadable: { lines: 0 }, dropped: { headers: {}, parameters: {} })

        assert_equal "a.log (rails): 1 234 567 lines", mix.notes.first
        assert_includes mix.notes.last, "999 distinct requests: all of the 1 000"
        assert_includes mix.notes.last, "of 12 345 logged"
      end

      test "what is dropped most often is named first, the sixth only counted" do
        names = %w[token key sid otp jwt pwd]
        lines = names.flat_map.with_index { |name, index| [line("/?#{name}=1")] * (index + 1) }

        assert_said(mix(*lines).notes)
      end

      test "with too many different requests the counts are reported as inexact" do
        traffic = Traffic.new(nil, Traffic::Filter.new(writes: false, assets: false),
                              tally: Traffic::LossyCount.new(limit: 10))
        text = Array.new(100) { |i| line("/often") + line("/#{i}") }.join
        mix = with_files("a.log" => text) { |dir| traffic.read("a.log", dir:) && traffic.mix(1) }

        assert_equal({ "GET /often" => 100 }, weights(mix))
        refute mix.document[:exact]
        assert_said(mix.notes.join)
      end

      test "several logs in several formats make one mix" do
        mix = read("lograge.log", "rails.log")

        assert_equal({ "GET /posts/1" => 2, "GET /posts/2" => 1, "HEAD /up" => 1, "GET /posts" => 1,
                       "GET /posts/1?page=2" => 1, "GET /reset?lang=de" => 1 }, weights(mix))
        assert_equal %w[lograge rails], mix.files.map { |file| file[:format] }
      end

      test "requests of a HAR have headers and bodies, writes included" do
        mix = read("har.har")
        post = mix.requests.find { |request| request.method == "POST" }

        assert_equal ["/api/items", "{\"name\":\"größe\"}"], [post.path, post.body]
        assert_equal "application/json", post.header("content-type")
        assert_empty mix.requests.flat_map { |request| request.headers.keys.map(&:downcase) } &
                     %w[cookie host connection referer content-length sec-ch-ua origin]
        assert_equal %w[cookie origin referer], mix.document[:dropped][:headers].sort
        assert_equal %w[token], mix.document[:dropped][:parameters]
        refute_match(/hunter2|abc/, mix.to_s)
      end

      test "gzipped logs are read, even several in one file" do
        packed = Zlib.gzip(File.binread(fixture("common.log")))
        with_files("a.log.gz" => packed, "b.log" => packed * 2) do |dir|
          one, two = %w[a.log.gz b.log].map { |name| Traffic.read([name], dir:) }

          assert_equal weights(one).transform_values { |count| 2 * count }, weights(two)
          assert_equal 16, two.files.first[:lines]
        end
      end

      test "a pipe works like a file" do
        reader, writer = IO.pipe
        writer.write(Zlib.gzip(line("/piped") * 3))
        writer.close

        assert_equal({ "GET /piped" => 3 },
                     weights(Traffic.read(["/dev/fd/#{reader.fileno}"])))
      ensure
        reader.close
      end

      test "unreadable files are errors that say what to do" do
        [
          { "a.log" => "" },
          { "a.log" => "\x00\x01\xFFELF" },
          { "a.log" => "caf\xE9 \e[31m\n" },
          { "a.gz" => Zlib.gzip("x" * 9000)[0, 30] },
          { "a.har" => "{\"log\": {\"entries\": [" },
          { "a.har" => "{\"log\": {\"entries\": [7]}}" },
          { "a.har" => "{\"log\": {\"version\": 1.2}}" },
          { "a.har" => "{\"log\": {\"entries\": []}}" },
          { "a.log" => line("/", status: 500) * 2 },
        ].each { |files| assert_said(refusal(files)) }
        assert_equal "b.log: No such file or directory", refusal({ "a.log" => "" }, "b.log")
        assert_equal "a: Is a directory", refusal({ "a/b" => "" }, "a")
        assert_said(assert_raises(UsageError) { read("common.log", format: "lograge") }.message)
        assert_match(/unknown log format "railz"\. Did you mean rails/,
                     assert_raises(UsageError) { read("rails.log", format: "railz") }.message)
      end

      test "a shown line contains no secret and no control characters" do
        mix = mix(line("/"), "password=hunter2 \e]0;x\a GET\n")

        assert_equal "access.log:2: \"password=[secret] ?]0;x? GET\"", mix.unreadable[:first]
      end
    end
  end
end
