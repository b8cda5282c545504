# frozen_string_literal: true

require "test_helper"

class CrowdingTest < Mohs::TestCase
  def values(...) = Mohs::Analysis::Crowding.call(...)&.values

  test "nothing is said where every connection has a thread, or that is not known" do
    assert_nil values(5, { "a" => 5, "b" => 6 })
    assert_nil values(5, { "a" => nil })
    assert_nil values(nil, { "a" => 5 })
    assert_nil values(5, {})
  end

  test "what all have too few of is told without names" do
    assert_equal "crowding", Mohs::Analysis::Crowding.call(8, { "a" => 5 }).code
    assert_equal({ connections: 8, threads: [5], variants: nil }, values(8, { "a" => 5, "b" => 5 }))
    assert_equal({ connections: 8, threads: [1, 5], variants: nil },
                 values(8, { "a" => 5, "b" => 1 }))
  end

  test "who has too few is named where others have enough" do
    assert_equal({ connections: 8, threads: [5], variants: ["b"] },
                 values(8, { "a" => 10, "b" => 5, "c" => nil }))
  end
end
