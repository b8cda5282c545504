# frozen_string_literal: true

require "test_helper"

# Elements as data: what is text stays text.
class MarkupTest < Mohs::TestCase
  MARKUP = Mohs::Report::Html::Markup

  def element(...) = MARKUP.element(...)

  def write(*nodes) = MARKUP.write(nodes)

  test "texts are escaped, in elements and in attributes, whatever they are" do
    page = write(element(:p, "<b>&\"'</b>", title: "\"><i>"), :"a<b", 3)

    assert_equal '<p title="&quot;&gt;&lt;i&gt;">&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;</p>a&lt;b3',
                 page
  end

  test "only what this room made is markup: elements, lists of them, and our own assets" do
    assert_equal "<p><i>x</i>y</p><br />",
                 write(element(:p, [element(:i, "x"), nil, false], "y"), [element(:br)])
    assert_equal "<style>a > b</style>", write(element(:style, MARKUP::Raw.new("a > b")))
  end

  test "an element that is splatted stays one" do
    assert_equal "<p><i>x</i></p>", write(element(:p, *element(:i, "x")))
  end

  test "attributes that are nil are left out, true is written as its name" do
    assert_equal '<details open="open"></details>',
                 write(element(:details, open: true, id: nil, hidden: false))
  end

  test "neither handlers nor styles nor sources can be written" do
    %i[onclick ONLOAD style src srcdoc formaction].each do |name|
      assert_raises(ArgumentError) { element(:p, **{ name => "x" }) }
    end
    assert_raises(ArgumentError) { element(:"p onclick=x") }
    assert_raises(ArgumentError) { element(:p, "a b": "x") }
  end

  test "a link leads into the page or to a web page, else it is none" do
    good = %w[#load http://example.org/a https://example.org/?a=b]
    bad = ["javascript:alert(1)", "data:text/html,x", "//example.org", "file:///etc/passwd",
           "https://a b", " https://a.example", "https://a\njavascript:x"]

    assert(good.all? { |href| write(element(:a, "x", href:)).include?("href=") })
    assert(bad.none? { |href| write(element(:a, "x", href:)).include?("href") })
  end

  test "what XML can't hold is replaced" do
    text = "a\u0000\u0008\u{FFFE}\u{FFFF}b\xFF"
    page = write(element(:p, text, title: text))

    assert_equal "a????b?", Mohs::Page.new(page).text
    assert_predicate page, :valid_encoding?
  end

  test "a text without end is cut" do
    assert_operator write(element(:p, "x" * 100_000)).length, :<, 5000
  end
end
