# frozen_string_literal: true

require "test_helper"

class FrontierTest < Mohs::TestCase
  Frontier = Mohs::Tune::Frontier

  # { name => [rate, memory, p99] }
  def frontier(**figures)
    Frontier.new(figures.map do |name, (rate_per_s, memory_bytes, p99_ms)|
      Frontier::Point.new(name: name.to_s, rate_per_s:, memory_bytes:, p99_ms:)
    end)
  end

  def names(points) = points.map(&:name)

  test "who is worse in one figure and better in none is off the front" do
    found = frontier(small: [100, 50, 20.0], large: [300, 200, 20.0], waste: [300, 210, 20.0],
                     slow: [90, 60, 30.0])
    assert_equal %w[large small], names(found.front)
    assert_equal %w[large], found.beaten_by("waste")
    assert_equal %w[small], found.beaten_by("slow")
    assert_empty found.beaten_by("large")
    assert_empty found.open
  end

  test "each figure alone keeps a setting on the front" do
    all = { rate: [300, 200, 30.0], memory: [200, 100, 30.0], p99: [200, 200, 10.0] }
    assert_equal %w[rate memory p99], names(frontier(**all).front)
    found = frontier(**all, middle: [200, 200, 30.0])
    assert_equal %w[rate memory p99], names(found.front)
    assert_equal %w[rate memory p99], found.beaten_by("middle")
  end

  test "it names those that are not beaten themselves" do
    found = frontier(best: [300, 100, 10.0], second: [200, 100, 10.0], third: [100, 100, 10.0])
    assert_equal %w[best], found.beaten_by("third")
  end

  test "two of the same figures stay both" do
    found = frontier(one: [100, 50, 20.0], other: [100, 50, 20.0], less: [90, 50, 20.0])
    assert_equal %w[one other], names(found.front)
    assert_equal %w[one other], found.beaten_by("less")
  end

  test "who lacks a figure beats nobody and is not beaten" do
    found = frontier(known: [100, 50, 20.0], unknown: [400, 40, nil], lower: [90, 60, 30.0],
                     worst: [10, 90, nil])
    assert_equal %w[known], names(found.front)
    assert_equal %w[unknown worst], names(found.open)
    assert_equal %w[known], found.beaten_by("lower")
    assert_empty found.beaten_by("worst")
  end

  test "a figure that all lack does not count" do
    found = frontier(one: [100, 50, nil], other: [90, 60, nil])
    assert_equal %w[one], names(found.front)
    assert_empty found.open
    found = frontier(other: [nil, 60, 3.0], one: [nil, 50, 4.0])
    assert_equal %w[other one], names(found.front)
  end

  test "nothing has no front, and an unknown name nobody that beats it" do
    assert_empty frontier.front
    assert_empty frontier.open
    assert_empty frontier(one: [1, 1, 1.0]).beaten_by("other")
  end

  test "it is what comparing each with each says" do
    random = Random.new(1)
    figures = (1..40).to_h { |i| [:"s#{i}", [random.rand(6), random.rand(6), random.rand(6)]] }
    wanted = figures.reject do |_, (rate, memory, p99)|
      figures.any? do |_, (r, m, p)|
        r >= rate && m <= memory && p <= p99 && [r, m, p] != [rate, memory, p99]
      end
    end
    assert_equal wanted.keys.map(&:to_s).sort, names(frontier(**figures).front).sort
  end
end
