# frozen_string_literal: true

require "test_helper"

class WordingTest < Mohs::TestCase
  test "a list names the first few, and says how many it leaves out" do
    found = [1, 2, 3].map { |size| Mohs::Wording.few(%w[a b c].first(size), 2) }

    assert_equal ["a", "a, b", "a, b and 1 more"], found
    assert_equal "a · b and 1 more", Mohs::Wording.few(%w[a b c], 2, separator: " · ")
    assert_equal "a, b and 7 more", Mohs::Wording.few(%w[a b], 2, more: 7)
  end

  test "names of variants are told apart, even if they have a comma" do
    assert_equal "3.3.8, 3.3.8 --yjit", Mohs::Wording.names(["3.3.8", "3.3.8 --yjit"])
    assert_equal "3.3.8; 3.4.5, puma:2x5", Mohs::Wording.names(["3.3.8", "3.4.5, puma:2x5"])
    assert_equal "3.4.5, puma:2x5", Mohs::Wording.names(["3.4.5, puma:2x5"])
  end

  test "a capital leaves the names in a text alone" do
    assert_equal "Without JRuby", Mohs::Wording.capital("without JRuby")
  end

  test "thousands stand apart, behind no decimal point" do
    numbers = [1, 123, 1234, 1_234_567, -1234, "12345.6"]

    assert_equal ["1", "123", "1 234", "1 234 567", "-1 234", "12 345.6"],
                 (numbers.map { |number| Mohs::Wording.thousands(number) })
  end
end
