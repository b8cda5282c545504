# frozen_string_literal: true

require "test_helper"

# Text of others in the Markdown of GitHub and GitLab.
class MarkdownTest < Mohs::TestCase
  Text = Mohs::Report::Markdown

  { "a | b" => "a &#124; b", "end\\|of" => "end\\\\&#124;of", "<img src=x>" => "&lt;img src=x>",
    "`rm`" => "\\`rm\\`",
    "a & b &lt;" => "a &amp; b &amp;lt;", "**bold** _it_" => "\\*\\*bold\\*\\* \\_it\\_",
    "MALLOC_ARENA_MAX=2" => "MALLOC_ARENA_MAX=2",
    "~~ $x$" => "\\~\\~ <span>&#36;</span>x<span>&#36;</span>",
    "[36, 39]" => "[36, 39]", "[x](y) [a][b] [^1]: z" => "[x\\](y) [a\\][b] [^1\\]: z",
    "back\\slash" => "back\\\\slash", "two\n lines \t" => "two lines",
    "\e[31mred\e[0m\u202e" => "red?" }.each do |text, written|
    test "#{text.inspect} is written #{written.inspect}" do
      assert_equal written, Text.escape(text)
    end
  end

  test "nobody is mentioned, nothing is referred to, and no address becomes a link" do
    { "@main #12 GH-3 a@b.c !4 @.x" => "@|main #|12 GH-|3 a@|b.c !|4 @|.x",
      "http://x.y www.z.org WWW.z" => "http:|//x.y www|.z.org WWW|.z",
      "~bug ~\"a b\"" => "\\~|bug \\~|\"a b\"", ":x: a:+1:" => ":|x: a:|+1:" }
      .each { |text, written| assert_equal written.gsub("|", "&#8203;"), Text.escape(text) }
  end

  test "a name that only looks alike stays as it is, so that it can be copied" do
    ["12:30 # 1 @ !x", "ActionView::Template::Error: x", "127.0.0.1:3000", "a/b#c"]
      .each { |text| assert_equal text, Text.escape(text) }
  end

  test "what a line begins with makes no heading, list, quotation or order of it" do
    ["# shop", "- shop", "1. shop", "2) x", "> x", "/close", "+ x", "==="].each do |text|
      assert_equal "&#8203;#{text}", Text.paragraph(text)
    end
    assert_equal "shop 1. #x", Text.paragraph("shop 1. #x")
  end

  { "mohs run" => "`mohs run`", "a `b` c" => "``a `b` c``", "`x`" => "`` `x` ``",
    "``" => "``` `` ```", "two\nlines" => "`two lines`", "<b>|@me" => "`<b>|@me`" }
    .each do |text, written|
    test "#{text.inspect} as code is #{written.inspect}" do
      assert_equal written, Text.code(text)
    end
  end

  include Mohs::Report::Views::Cells

  test "a table: columns of figures or numbers are right-aligned, cells are escaped" do
    columns = [column(:name, "name"), column(:p50, "p50 ms", figure: true),
               column(:rate, "requests/s"), column(:group, "")]
    rate = cell("1 652", aside: "±1.1 %", value: 1)
    rows = [{ name: cell("a|b"), p50: cell("0.58"), rate: },
            { name: cell("@x"), p50: cell("–"), rate: cell("–"), group: cell("2") }]

    assert_equal <<~TEXT, Text.table(table(:variants, columns, rows))
      | name | p50 ms | requests/s |  |
      | --- | --: | --: | --- |
      | a&#124;b | 0.58 | 1 652 ±1.1 % |  |
      | @&#8203;x | – | – | 2 |
    TEXT
  end
end
