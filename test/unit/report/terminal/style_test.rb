# frozen_string_literal: true

require "test_helper"

class StyleTest < Mohs::TestCase
  def style(**facts) = Mohs::Report::Terminal::Style.new(**facts)

  test "prose is folded between words, set in after its first line" do
    assert_equal "aaaa bbbb cccc dddd\n     eeee ffff",
                 style(width: 25).wrap("aaaa bbbb cccc dddd eeee ffff", indent: 5)
  end

  def proposed(...) = Mohs::Report::Proposal.to(...)

  test "a command below a table has a line of its own if it does not fit beside its text" do
    assert_equal "stopped   continue: mohs repro shop",
                 style(width: 40).named_command("stopped", "continue:", proposed("repro", "shop"))
    assert_equal "stopped   continue:\n          mohs repro \"/my shop\" --resume",
                 style(width: 44).named_command("stopped", "continue:",
                                                proposed("repro", "/my shop", resume: true))
  end

  test "lines that are there stay" do
    assert_equal "one\n  two", style.wrap("one\ntwo", indent: 2)
  end

  test "prose is never wider than a hundred columns" do
    widest = style(width: 300).wrap("word " * 100).lines.map { |line| line.chomp.length }.max

    assert_operator widest, :<=, 100
  end

  test "a line is not broken inside a number" do
    assert_equal "counted were all the\n2 336 304 of 12 things",
                 style(width: 25).wrap("counted were all the 2 336 304 of 12 things")
  end

  test "a line is not broken inside an interval" do
    assert_equal "faster than A\n[-7, 20].", style(width: 21).wrap("faster than A [-7, 20].")
    assert_equal "faster than B\n[7.1, 20.3].", style(width: 22).wrap("faster than B [7.1, 20.3].")
  end

  test "a word longer than the line stands alone" do
    assert_equal "a\n#{'x' * 40}\nb", style(width: 30).wrap("a #{'x' * 40} b")
  end

  test "what is cut ends with an ellipsis" do
    assert_equal ["abc", "ab…"], [style.cut("abc", 3), style.cut("abcd", 3)]
  end

  test "names are cut in their middle, for they differ at either end" do
    assert_equal ["abcdef", "ab…ef", "ab…f", "…"],
                 [6, 5, 4, 1].map { |width| style.squeeze("abcdef", width) }
  end

  test "without colour, text is left alone" do
    assert_equal ["x", "\e[31mx\e[0m"],
                 [style.paint(:red, "x"), style(colour: true).paint(:red, "x")]
  end

  test "words that it is given stay as they are" do
    words = [+"2.7.4", +"3.1.2"]
    2.times { assert_equal "2.7.4 3.1.2", style(width: 20).flow(words, gap: " ", indent: 0) }
    assert_equal %w[2.7.4 3.1.2], words
  end
end
