# frozen_string_literal: true

require "test_helper"

class CLIDueTimesTest < Mohs::TestCase
  def read(text)
    with_files("times.txt" => text) do |folder|
      return Mohs::CLI::DueTimes.read("#{folder}/times.txt")
    end
  end

  def complaint(text)
    assert_raises(Mohs::UsageError) { read(text) }.message.sub(%r{/\S+/}, "")
  end

  test "seconds become the nearest nanosecond" do
    assert_equal [0, 500_000_000, 2_000_000_000], read("0\n0.5\n 2e0 \n")
    assert_equal [1, 2], read("0.0000000012\n0.0000000018")
  end

  test "two may fall due at once" do
    assert_equal [1_000_000_000] * 2, read("1\n1\n")
  end

  test "empty lines and comments are left out, and counted" do
    assert_equal [1_000_000_000], read("# seconds\n\n   \n  # indented\n1\n")
    assert_match(/times\.txt, line 4: "x" is/, complaint("# a\n\n1\nx\n"))
  end

  test "what is no time is refused, with its line" do
    ["-1", "1s", "NaN", "Infinity", "1e400", "-0.1", "0x"].each do |wrong|
      assert_match(/times\.txt, line 2: "#{wrong}" is/, complaint("0\n#{wrong}\n"))
    end
  end

  test "times ascend; the first that does not is named" do
    assert_match(/times\.txt, line 4: earlier/, complaint("1\n# a\n3\n2\n1\n"))
  end

  test "the last of two, or of three, has to ascend as well" do
    assert_match(/line 2: earlier/, complaint("2\n1\n"))
    assert_match(/line 3: earlier/, complaint("1\n3\n2\n"))
  end

  test "a file without times, and none at all" do
    assert_match(/times\.txt: .*no times/, complaint("\n# none\n"))
    message = assert_raises(Mohs::UsageError) { Mohs::CLI::DueTimes.read("/nowhere/a") }.message
    assert_equal "--times /nowhere/a: No such file or directory.", message
  end
end
