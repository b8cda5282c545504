# frozen_string_literal: true

require "test_helper"

module Mohs
  # The C core's own tests, under sanitizers, and its parser against one in Ruby.
  class CoreTest < TestCase
    BUILD = CBuild.new

    BUILD.tests.each do |name|
      test "#{name} under sanitizers" do
        outcome = BUILD.test(name)
        assert outcome.ok, outcome.output
        refute_match(/ERROR|runtime error/, outcome.output)
      end
    end

    test "every file of the core has its test" do
      files = Dir[File.join(Mohs.root, "ext/mohs/core/*.c")].map do |file|
        File.basename(file, ".c")
      end
      together = { "error" => "select", "socket" => "target", "connection" => "engine",
                   "worker" => "engine" }
      assert_empty(files.map { |file| together.fetch(file, file) }.uniq - BUILD.tests)
    end

    test "the core compiles alone under every warning" do
      assert_empty BUILD.lint
      assert_empty BUILD.lint_binding
    end

    ANSWERS = [
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 204\r\nConnection: close\r\n\r\n",
      "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 3\r\n\r\nabc",
      "HTTP/1.0 200 \r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n" \
      "5;a=b\r\nhello\r\nA\r\n0123456789\r\n0\r\nA: b\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 2\r\nX: \ty\t \r\n\r\nabcd",
      "HTTP/1.1 500 Oh no\r\nTransfer-Encoding: chunked\r\nConnection: a, close\r\n\r\n" \
      "1\r\nx\r\n0\r\n\r\n",
    ].freeze
    PIECES = ["\r\n", "\n", "\r", ":", " ", "\t", ";", "0", "5", "a", "\0", "\x7f", "\xff", ",",
              "chunked", "close", "-", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n",
              "Connection: close\r\n", "HTTP/1.1 200 OK\r\n"].freeze

    test "the parser finds what a slow one in Ruby finds, at every cut" do
      random = Random.new(Minitest.seed)
      cases = ANSWERS.flat_map { |answer| [answer, *Array.new(200) { mutated(answer, random) }] }
      cases = cases.flat_map { |bytes| [[bytes, false], [bytes, true]] }
      found = parse(cases)
      assert_equal cases.size, found.size
      cases.zip(found) do |(bytes, head), line|
        assert_equal ReferenceParser.new(bytes, head:).call.strip, line,
                     "#{bytes.inspect}, HEAD: #{head}"
      end
    end

    private

    # With one to three pieces put in, taken out or put over.
    def mutated(answer, random)
      bytes = answer.b
      random.rand(1..3).times do
        place = random.rand(bytes.bytesize)
        bytes[place, random.rand(3)] = [PIECES.sample(random:).b, ""].sample(random:)
      end
      bytes
    end

    def parse(cases)
      input = cases.map { |bytes, head| "#{head ? 1 : 0} #{bytes.unpack1('H*')}\n" }.join
      output, status = Open3.capture2e(BUILD.program("test/c/parse.c"), stdin_data: input)
      assert status.success?, output
      output.lines.map(&:strip)
    end
  end
end
