# frozen_string_literal: true

require "test_helper"

# Text of others in GitHub's Markdown.
class MarkdownTextTest < Mohs::TestCase
  Text = Mohs::Exporters::MarkdownText

  { "a | b" => "a \\| b", "<img src=x>" => "&lt;img src=x>", "`rm`" => "\\`rm\\`",
    "a & b &lt;" => "a &amp; b &amp;lt;", "**bold** _it_" => "\\*\\*bold\\*\\* \\_it\\_",
    "MALLOC_ARENA_MAX=2" => "MALLOC_ARENA_MAX=2", "~~x~~ $x$" => "\\~\\~x\\~\\~ \\$x\\$",
    "[36, 39]" => "[36, 39]", "[x](y) [a][b] [^1]: z" => "[x\\](y) [a\\][b] [^1\\]: z",
    "back\\slash" => "back\\\\slash", "two\n lines \t" => "two lines",
    "\e[31mred\e[0m\u202e" => "red?" }.each do |text, written|
    test "#{text.inspect} is written #{written.inspect}" do
      assert_equal written, Text.escape(text)
    end
  end

  test "nobody is mentioned, no issue is referred to, and no address becomes a link" do
    { "@main #12 GH-3 a@b.c" => "@&#8203;main #&#8203;12 GH-&#8203;3 a@&#8203;b.c",
      "http://x.y www.z.org 12:30 # 1" => "http&#58;//x.y www&#46;z.org 12:30 # 1" }
      .each { |text, written| assert_equal written, Text.escape(text) }
  end

  { "mohs run" => "`mohs run`", "a `b` c" => "``a `b` c``", "`x`" => "`` `x` ``",
    "``" => "``` `` ```", "two\nlines" => "`two lines`", "<b>|@me" => "`<b>|@me`" }
    .each do |text, written|
    test "#{text.inspect} as code is #{written.inspect}" do
      assert_equal written, Text.code(text)
    end
  end

  test "a table: columns of numbers are right-aligned, cells are escaped" do
    rows = [["name", "p50 ms", "requests/s", ""], ["a|b", "0.58", "1 652 ±1.1 %", ""],
            ["@x", "–", "2 000", "a"]]

    assert_equal <<~TEXT, Text.table(rows)
      | name | p50 ms | requests/s |  |
      | --- | --: | --- | --- |
      | a\\|b | 0.58 | 1 652 ±1.1 % |  |
      | @&#8203;x | – | 2 000 | a |
    TEXT
    assert_includes Text.table([["a"], ["> 503"], ["> 4.01 s"]]), "| --- |"
    assert_includes Text.table([["a"], ["> 503"], ["-1.5 %"], ["12.5 MB"]]), "| --: |"
  end
end
