# frozen_string_literal: true

require "test_helper"

module Mohs
  class PrintableTest < TestCase
    test "colours of a log and titles of a terminal are left out as a whole" do
      { "\e[1m\e[36mUser Load\e[0m" => "User Load", "a\e]0;title\ab" => "ab",
        "a\e]8;;http://x\e\\b" => "ab", "a\u009b2Jb" => "ab", "\e[?25lx\e[38;5;1my" => "xy",
        "a\e]0;never ended\nb" => "a?]0;never ended\nb" }.each do |given, shown|
        assert_equal shown, Printable.call(given)
      end
    end

    test "other control characters are replaced one by one, ends of lines stay" do
      assert_equal "a\nb\nc d?e?f?g?h", Printable.call("a\nb\r\nc\td\re\u007ff\u0085g\u202eh")
      assert_equal "??(B", Printable.call("\e\e(B")
      refute_match HostileText::FORBIDDEN, Printable.call(HostileText::TEXT)
      assert_match(/\Ared.*link.*end\z/, Printable.call(HostileText::TEXT))
    end

    test "no line is a command of a CI runner any more" do
      { "::error::no" => ": :error::no", " \t\u00a0::stop::x" => " \t\u00a0: :stop::x",
        "a\n::add-mask::b\n\n  ::c" => "a\n: :add-mask::b\n\n  : :c",
        ":::error::" => ": ::error::", "a ##[error]b" => "a # #[error]b",
        "###[group]" => "## #[group]" }.each do |given, shown|
        assert_equal shown, Printable.inert(given)
      end
      text = "old::2.7.4 at [::1]:80 and ## [x]\n"
      assert_same text, Printable.inert(text)
    end

    # For minutes, if each blank line were read to the end of all.
    test "many blank lines and long indents are read once" do
      text = "#{"\n" * 200_000}#{" " * 200_000}::"
      assert_operator Printable.inert(text), :end_with?, " : :"
    end

    test "text without an end is cut, which shows" do
      assert_equal ["abc", "abcd", "abc…"],
                   %w[abc abcd abcde].map { |text| Printable.cut(text, 4) }
      assert_equal "#{'x' * (Printable::FACT - 1)}…", Printable.cut("x" * 900_000)
    end

    test "bytes that are no UTF-8 are replaced; what is printable stays as it is, itself" do
      text = "naïve 日本 ✓ ▁▂\n"
      assert_same text, Printable.call(text)
      assert_equal "a?b", Printable.call("a\xffb".b)
      assert_equal text, Printable.call(text.b)
    end
  end
end
