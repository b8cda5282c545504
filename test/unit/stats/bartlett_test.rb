# frozen_string_literal: true

require "test_helper"

class StatsBartlettTest < Mohs::TestCase
  include Mohs::Stats

  def setup = @noise = Noise.new(12)

  def groups(*spreads, size: 8) = spreads.map { |sd| Array.new(size) { sd * @noise.normal } }

  test "groups that spread alike are called unequal as often as said" do
    low = 2000.times.count { Bartlett.p(groups(1, 1, 1, 1)) < 0.05 }
    # 5 % of 2000 with four standard errors (9.7).
    assert_includes 61..139, low
  end

  test "finds one that spreads five times as far" do
    found = 200.times.count { Bartlett.p(groups(1, 1, 1, 5)) < 0.01 }
    assert_operator found, :>=, 190
  end

  test "place and scale do not matter" do
    sample = groups(1, 2, 3)
    moved = sample.each_with_index.map { |group, i| group.map { |x| (x * 1e3) + (i * 50) } }
    assert_in_epsilon Bartlett.p(sample), Bartlett.p(moved), 1e-8
  end

  test "two groups of equal variance are as alike as can be" do
    assert_in_delta 1.0, Bartlett.p([[1, 2, 3], [11, 12, 13]]), 1e-12
  end

  test "groups of one say nothing; two are needed" do
    pair = groups(1, 2)
    assert_in_epsilon Bartlett.p(pair), Bartlett.p(pair + [[7.0], []]), 1e-12
    assert_nil Bartlett.p([[1.0, 2.0], [3.0]])
    assert_nil Bartlett.p([])
  end

  test "a group without any spread beside one that has some, and beside its like" do
    assert_in_delta 0.0, Bartlett.p([[1.0, 1.0, 1.0], [1.0, 2.0]]), 0
    assert_in_delta 1.0, Bartlett.p([[1.0, 1.0], [2.0, 2.0]]), 0
  end
end
