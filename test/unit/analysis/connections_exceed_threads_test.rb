# frozen_string_literal: true

require "test_helper"

class CrowdingTest < Mohs::TestCase
  def values(...) = Mohs::Analysis::ConnectionsExceedThreads.call(...)&.values

  test "nothing is said where every connection has a thread, or that is not known" do
    assert_nil values({ "a" => [5, 5], "b" => [5, 6] })
    assert_nil values({ "a" => [5, nil] })
    assert_nil values({ "a" => [nil, 5] })
    assert_nil values({})
  end

  test "what all have too few of is told without names" do
    assert_equal "crowding", Mohs::Analysis::ConnectionsExceedThreads.call({ "a" => [8, 5] }).code
    assert_equal({ connections: 8, threads: [5], variants: nil },
                 values({ "a" => [8, 5], "b" => [8, 5] }))
    assert_equal({ connections: 8, threads: [1, 5], variants: nil },
                 values({ "a" => [8, 5], "b" => [8, 1] }))
  end

  test "who has too few is named where others have enough" do
    assert_equal({ connections: 8, threads: [5], variants: ["b"] },
                 values({ "a" => [8, 10], "b" => [8, 5], "c" => [8, nil] }))
  end

  test "each is held against its own connections" do
    assert_equal({ connections: 6, threads: [5], variants: ["b"] },
                 values({ "a" => [1, 1], "b" => [6, 5] }))
  end
end
