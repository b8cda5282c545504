# frozen_string_literal: true

require "test_helper"
require_relative "../../../../rakelib/support/crossing"

class StatsCrossingCurveTest < Mohs::TestCase
  Curve = Crossing::Curve

  test "gives back what it was made of, between its points as well" do
    curve = Curve.new(80, knee: 0.7, reach: 1.5) { |c| Math.cos(3 * c) }
    300.times do |i|
      c = Math.sin(1.5 * i / 299)
      assert_in_delta Math.cos(3 * c), curve.at(c), 1e-4
      assert_equal curve.at(c), curve.at(-c)
    end
  end

  test "follows a function that leaves its knee like a square root" do
    root = ->(c) { Math.sqrt([Math.asin(c) - 0.9, 0].max) }
    curve = Curve.new(80, knee: 0.9, reach: 1.4, &root)
    300.times do |i|
      c = Math.sin(1.4 * i / 299)
      assert_in_delta root.call(c), curve.at(c), 1e-9
    end
  end
end
