# frozen_string_literal: true

require "test_helper"

class VerificationHeldTest < Mohs::TestCase
  Held = Mohs::Verification::Client::Held

  def held(*spans) = spans.map { |from, to| Held.new(1, "1", from, to) }

  test "requests are counted that were held at the same time" do
    assert_equal 0, Held.at_once([])
    assert_equal 1, Held.at_once(held([0.0, 1.0]))
    assert_equal 3, Held.at_once(held([0.0, 1.0], [0.5, 1.5], [0.9, 2.0], [1.2, 1.4]))
  end

  test "one that begins when another ends is not held with it" do
    assert_equal 1, Held.at_once(held([0.0, 1.0], [1.0, 2.0], [2.0, 3.0]))
  end

  test "the answer of the application is read, and anything else is none" do
    assert_equal Held.new(12, "80", 1.5, 2.0), Held.parse("12 80 1.5 2.0\n")
    assert_equal [nil, nil, nil], [nil, "", "no rack.hijack\n"].map { |body| Held.parse(body) }
  end
end
