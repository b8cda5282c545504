# frozen_string_literal: true

require "test_helper"

module Mohs
  class TrafficFormatsTest < TestCase
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-others"

    Formats = App::Traffic::Formats
    FOLDER = File.expand_path("../fixtures/traffic", __dir__)

    # Per format what its fixture tells, in order: "method target status", an "(unreadable)" line,
    # or the fault of what can't be repeated.
    TOLD = {
      "combined" => [
        "GET / 200", "GET /assets/application-4f2c.css 200", "GET /products?page=2&q=café 200",
        "GET /products?page=2&q=café 304", "POST /cart 302", "GET /reset?token=abc123&lang=de 200",
        "  400", "GET /wp-login.php 404", "  408", "HEAD /up 200", "(unreadable)",
      ],
      "common" => [
        "GET /apache_pb 200", "GET /apache_pb 200", "GET /say?text=\"hi\" 200",
        "DELETE /carts/3 204", "GET http://elsewhere.example/ 200", "  408", "GET /slow 503",
        "(unreadable)",
      ],
      "rails" => [
        "whose beginning is not in the log", "GET /posts 200", "GET /slow 500",
        "GET /posts/1?page=2 200", "GET /nowhere?x=1 404",
        "GET /reset?token=[FILTERED]&lang=de 200",
        "POST /posts 302", "(unreadable)", "whose end is not in the log",
      ],
      "lograge" => [
        "GET /posts/1 200", "GET /posts/1 200", "POST /posts 302", "GET /slow 500",
        "GET /posts/2 200", "HEAD /up 200", "(unreadable)", "(unreadable)",
      ],
      "har" => [
        "GET / 200", "GET /assets/app.css 200", "GET /api/items?page=1 200",
        "GET /api/items?page=1 200", "GET /favicon.ico 200", "GET /api/items?page=2&token=abc 200",
        "POST /api/items 200", "with a secret in their body", "whose body is not in the HAR",
        "GET /gone 404", "to hosts other than the page's own",
      ],
    }.freeze

    def fixture(format) = Dir[File.join(FOLDER, "#{format}.*")].fetch(0)

    def read(format, text)
      lines = App::Traffic::Lines.new(StringIO.new(text.b))
      result = []
      Formats.fetch(format).new.read(lines) { |entry| result << facts_of(entry) }
      result
    end

    def facts_of(entry)
      return "(unreadable)" if entry.line
      return entry.fault if entry.fault

      target = entry.target&.dup&.force_encoding(Encoding::UTF_8)
      "#{entry.method} #{target} #{entry.status}"
    end

    test "every format has its fixture" do
      assert_equal Formats.names, TOLD.keys.sort
    end

    TOLD.each do |format, expected|
      test "#{format}: reads a log request by request" do
        assert_equal expected, read(format, File.binread(fixture(format)))
      end

      test "#{format} is recognised by its content, and no other format is mistaken for it" do
        TOLD.each_key do |other|
          head = App::Traffic::Lines.open(fixture(other), &:head)

          assert_equal other == format, Formats.recognise(head) == Formats.fetch(format), other
        end
      end

      test "#{format}: accepts other line ends" do
        text = File.binread(fixture(format)).gsub("\n", "\r\n")

        assert_equal expected, read(format, text)
        assert_equal expected, read(format, text.chomp)
      end

      test "#{format}: rejects anything else without an internal error" do
        noise = Random.new(1).bytes(4000).delete("\n")
        ["", "\n\n", "\xFF\xFE\n", "#{noise}\n", "{}\n", "[1]\n", "null\n", "{\"log\":7}",
         "a" * 200_000].each do |text|
          refute Formats.fetch(format).line?(text.b), text[0, 20]
          read(format, text).each { |one| assert_equal "(unreadable)", one }
        rescue UsageError => error
          assert_said(error.message)
        end
      end

      test "#{format}: reads a truncated log up to its end" do
        text = File.binread(fixture(format))
        (0..text.bytesize).step(97) do |length|
          known = read(format, text.byteslice(0, length)).grep(/\A[A-Z]+ /)

          assert_empty known - expected - ["GET /prod 200"]
        rescue UsageError
          assert_equal "har", format
        end
      end
    end
  end
end
