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
      together = { "error" => "select", "socket" => "target", "worker" => "engine",
                   "detach" => "supervisor", "watchdog" => "shield", "stream" => "streams",
                   "scenario" => "client" }
      assert_empty(files.map { |file| together.fetch(file, file) }.uniq - BUILD.tests)
    end

    test "the core compiles alone under every warning" do
      assert_empty BUILD.lint
      assert_empty BUILD.lint_binding
    end

    test "clang, whose warnings are others, compiles the core and the binding" do
      skip "clang is not installed" unless Fuzzing.possible?

      clang = CBuild.new(compiler: "clang")
      assert_empty clang.lint
      assert_empty clang.lint_binding
    end

    test "every C file is formatted as .clang-format says" do
      skip "clang-format #{CBuild::FORMATTER} is not installed" unless BUILD.formats?

      assert_empty BUILD.unformatted
    end

    PIECES = ["\r\n", "\n", "\r", ":", " ", "\t", ";", "0", "5", "a", "\0", "\x7f", "\xff", ",",
              "chunked", "close", "-", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n",
              "Connection: close\r\n", "HTTP/1.1 200 OK\r\n"].freeze

    test "the parser finds what a slow one in Ruby finds, at every cut" do
      random = Random.new(Minitest.seed)
      answers = Responses.all.map(&:bytes).select { |bytes| bytes.bytesize.between?(1, 200) }
      cases = answers.flat_map { |answer| [answer, *Array.new(8) { mutated(answer, random) }] }
      cases = cases.flat_map { |bytes| [[bytes, false], [bytes, true]] }
      found = BUILD.parse(cases)
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
        place = random.rand(bytes.bytesize + 1)
        bytes[place, random.rand(3)] = [PIECES.sample(random:).b, ""].sample(random:)
      end
      bytes
    end
  end
end
