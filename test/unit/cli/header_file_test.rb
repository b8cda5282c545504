# frozen_string_literal: true

require "test_helper"

class HeaderFileTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-header-file"

  # What stands in a file => the headers that it gives.
  READ = {
    "" => {},
    "# only\n\n  # comments\n" => {},
    "Cookie: a=b; c=d" => { "Cookie" => "a=b; c=d" },
    "Cookie:a=b\r\nX-Shop: x # y\r\n" => { "Cookie" => "a=b", "X-Shop" => "x # y" },
    "  Authorization :  Bearer x:y  \n" => { "Authorization" => "Bearer x:y" },
    "A: 1\nB:\nA-B: 2\n" => { "A" => "1", "B" => "", "A-B" => "2" },
    "\uFEFFA: 1\n" => { "A" => "1" },
  }.freeze

  READ.each_with_index do |(text, headers), index|
    test "#{index}: #{text.inspect} is read" do
      with_files("own.headers" => text) do |folder|
        assert_equal headers, Mohs::CLI::HeaderFile.load("own.headers", dir: folder)
      end
    end
  end

  # What can't be read => the line that is named.
  WRONG = {
    "A: 1\nhunter2\n" => 2, "A hunter2: 1\n" => 1, ": hunter2\n" => 1, "\n\nhunter2=1\n" => 3,
    "Cookie: hunter2\0x\n" => 1, "Content-Length: 5\n" => 1,
    "Cookie: a=1\nB: 1\nCookie: hunter2\n" => 3, "Cookie: hunter2\n\ncookie: b\n" => 3,
  }.freeze

  WRONG.each_with_index do |(text, line), index|
    test "#{index}: #{text.inspect} is refused with its line, and without what stands there" do
      error = assert_raises(Mohs::UsageError) { Mohs::CLI::HeaderFile.parse(text, "own.headers") }

      assert_operator error.message, :start_with?, "--header-file own.headers, line #{line}: "
      refute_includes error.message, "hunter2"
    end
  end

  test "a line that is no header is said to be one, a header of mohs's own to be that" do
    messages = ["x", "Connection: close"].map do |text|
      assert_raises(Mohs::UsageError) { Mohs::CLI::HeaderFile.parse(text, "f") }.message
    end

    assert_said(messages.first)
    assert_said(messages.last)
  end

  test "a name that is repeated is named, and what to do for cookies" do
    error = assert_raises(Mohs::UsageError) do
      Mohs::CLI::HeaderFile.parse("Cookie: a=1\ncookie: b=2", "f")
    end

    assert_said(error.message)
    error = assert_raises(Mohs::UsageError) { Mohs::CLI::HeaderFile.parse("A: 1\nA: 1", "f") }
    assert_equal "--header-file f, line 2: A is there already", error.message
  end

  test "what proxies say about the client is secret, but where the request came from" do
    harmless = %w[For Host Port Proto Prefix Server].map { |name| "X-Forwarded-#{name}" }
    secret = %w[X-Forwarded-Email X-Forwarded-Client-Cert X-Forwarded-User x-forwarded-access-token]
    headers = [*harmless, *secret].to_h { |name| [name, "a"] }

    assert_equal secret, Mohs::CLI::HeaderFile.confidential(headers)
  end

  test "a file that is not there, and bytes that are no text are told" do
    with_files("bytes" => "A: \xFF\n") do |folder|
      messages = %w[none bytes /dev/zero].map do |path|
        assert_raises(Mohs::UsageError) { Mohs::CLI::HeaderFile.load(path, dir: folder) }.message
      end

      assert_said(*messages)
    end
  end
end
