# frozen_string_literal: true

require "test_helper"

# What is shown where the locale has no UTF-8.
class AsciiTest < Mohs::TestCase
  Ascii = Mohs::Report::Terminal::Ascii
  SHOWN = %w[analysis report procedures exporters cli].freeze

  test "every sign that mohs itself shows has one of ASCII, as wide" do
    signs = ruby_files(*SHOWN).flat_map do |path|
      File.read(path, encoding: "UTF-8").scan(/[^\x00-\x7f]/)
    end.uniq

    assert_empty signs - Ascii::ALL.keys
    assert Ascii::ALL.values.all? { |sign| sign.length == 1 && sign.ascii_only? }
  end

  test "text keeps its columns" do
    assert_equal "a - b  1 us  #=?", Ascii.of("a · b  1 µs  █▌é")
  end

  test "it is needed where a locale is set that has no UTF-8" do
    { {} => false, { "LANG" => "" } => false, { "LANG" => "en_US.UTF-8" } => false,
      { "LANG" => "C" } => true, { "LC_ALL" => "C.utf8", "LANG" => "C" } => false,
      { "LC_CTYPE" => "POSIX", "LANG" => "de_DE.UTF-8" } => true }.each do |env, needed|
      assert_equal needed, Ascii.needed?(env), env
    end
  end
end
