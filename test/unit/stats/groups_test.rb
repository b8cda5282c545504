# frozen_string_literal: true

require "test_helper"

class StatsGroupsTest < Mohs::TestCase
  Groups = Mohs::Stats::Groups

  def groups(names, *different)
    pairs = different.map(&:chars).map(&:sort)
    Groups.of(names) { |one, other| pairs.include?([one, other].sort) }
  end

  test "all alike are one group, all different none" do
    assert_equal [%w[a b c]], groups(%w[a b c])
    assert_equal [], groups(%w[a b c], "ab", "ac", "bc")
  end

  test "who resembles both neighbours is in both groups" do
    found = groups(%w[a b c], "ac")
    assert_equal [%w[a b], %w[b c]], found
    assert_equal({ "a" => "a", "b" => "ab", "c" => "b" }, Groups.marks(found))
  end

  test "pairs are judged together: what tells two apart alone does not among three" do
    p_values = { %w[a b] => 0.03, %w[a c] => 0.0001, %w[b c] => 0.3 }

    assert_equal [%w[a b], %w[b c]],
                 Groups.tested(%w[a b c], alpha: 0.05) { |*pair| p_values.fetch(pair) }
    assert_equal [], Groups.tested(%w[a b], alpha: 0.05) { |*pair| p_values.fetch(pair) }
  end

  test "after z comes aa, and zz is the last" do
    marks = Groups.marks(Array.new(702) { |number| [number.to_s] })
    assert_equal %w[a z aa zz], marks.values_at("0", "25", "26", "701")
  end

  test "few or none" do
    assert_equal [], groups([])
    assert_equal [], groups(%w[a])
    assert_equal({}, Groups.marks([]))
  end

  # The letters say exactly what was found, whatever was found, and no group is within another:
  # maximal cliques.
  test "two share a mark exactly where they were not found to differ" do
    random = Random.new(3)
    names = %w[a b c d e f]
    60.times do
      different = names.combination(2).select { random.rand < 0.4 }
      found = Groups.of(names) { |one, other| different.include?([one, other]) }
      names.combination(2) do |pair|
        together = found.any? { |group| (pair - group).empty? }
        assert_equal !different.include?(pair), together, pair.inspect
      end
      assert_equal brute_force_cliques(names, different), found.map(&:sort).sort
    end
  end

  def brute_force_cliques(names, different)
    subsets = (2..names.size).flat_map { |size| names.combination(size).to_a }
    alike = subsets.reject { |group| group.combination(2).any? { |pair| different.include?(pair) } }
    within = ->(group, other) { other != group && (group - other).empty? }
    alike.reject { |group| alike.any? { |other| within.call(group, other) } }.sort
  end
end
