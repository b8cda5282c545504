# frozen_string_literal: true

require "test_helper"

class EnvFileTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-env-file"

  # What stands in a file => the variables that it gives.
  READ = {
    "" => {},
    "#\nA=''\n" => { "A" => "" },
    "exportA=1\n" => { "exportA" => "1" },
    "# only\n\n   # comments\n" => {},
    "A=1" => { "A" => "1" },
    "A=1\nB=2\nA=3\n" => { "A" => "3", "B" => "2" },
    "A=1\r\nB=2\r\n" => { "A" => "1", "B" => "2" },
    "  export A = x y  \n" => { "A" => "x y" },
    "A=\nB=\"\"\n" => { "A" => "", "B" => "" },
    "A=x # why\nB='y' # why\n" => { "A" => "x", "B" => "y" },
    "A=x#y\nB=#nothing\n" => { "A" => "x#y", "B" => "" },
    "A=postgres://u:p#q@h/d?x=1&y=2\n" => { "A" => "postgres://u:p#q@h/d?x=1&y=2" },
    %(A="a # b"\nB='c # d'\n) => { "A" => "a # b", "B" => "c # d" },
    %(A="two\\nlines \\"said\\" \\\\ $HOME \\x"\n) =>
      { "A" => "two\nlines \"said\" \\ $HOME x" },
    %(A='no\\n $escape "here"'\n) => { "A" => 'no\n $escape "here"' },
    %(KEY="-----BEGIN\nabc\n-----END"\nB=1\n) =>
      { "KEY" => "-----BEGIN\nabc\n-----END", "B" => "1" },
    "A=it's \"so\"\n" => { "A" => "it's \"so\"" },
    "\uFEFFA=1\n" => { "A" => "1" },
    "A=päin\n" => { "A" => "päin" },
  }.freeze

  READ.each_with_index do |(text, variables), index|
    test "#{index}: #{text.inspect} is read" do
      with_files("app.env" => text) do |folder|
        assert_equal variables, Mohs::CLI::EnvFile.load("app.env", dir: folder)
      end
    end
  end

  # What can't be read => the line that is named.
  WRONG = {
    "A=1\nhunter2\n" => 2, "A B=hunter2\n" => 1, "1A=hunter2\n" => 1, "=hunter2\n" => 1,
    "A='hunter2'B=2\n" => 1,
    "\n\nA=\"hunter2\n" => 3, "A='hunter2' hunter2\n" => 1, "A: hunter2\n" => 1,
  }.freeze

  WRONG.each_with_index do |(text, line), index|
    test "#{index}: #{text.inspect} is refused with its line, and without what stands there" do
      error = assert_raises(Mohs::UsageError) { Mohs::CLI::EnvFile.parse(text, "app.env") }

      assert_includes error.message, "--env-file app.env, line #{line}: write it as NAME=value"
      refute_includes error.message, "hunter2"
    end
  end

  test "a file that is not there, a folder, and bytes that are no text are told" do
    with_files("bytes" => "A=\xFF\n") do |folder|
      result = ["none", ".", "bytes"].map do |path|
        assert_raises(Mohs::UsageError) { Mohs::CLI::EnvFile.load(path, dir: folder) }.message
      end

      assert_said(*result)
    end
  end
end
