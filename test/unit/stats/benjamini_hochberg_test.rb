# frozen_string_literal: true

require "test_helper"

class StatsBenjaminiHochbergTest < Mohs::TestCase
  include Mohs::Stats

  def setup = @random = Random.new(8)

  # By its definition: the largest k whose p is at most k / m * rate, and all p up to that one.
  def found_by_definition(p_values, rate)
    sorted = p_values.sort
    k = (1..sorted.size).select { |rank| sorted[rank - 1] <= rank * rate / sorted.size }.max
    p_values.map { |p| !k.nil? && p <= sorted[k - 1] }
  end

  test "an adjusted p is at most the rate exactly where the step-up procedure finds" do
    200.times do
      p_values = Array.new(@random.rand(1..9)) { (@random.rand**3).round(3) }
      [0.013, 0.0501, 0.1003, 0.4001].each do |rate|
        found = BenjaminiHochberg.adjust(p_values).map { |p| p <= rate }
        assert_equal found_by_definition(p_values, rate), found, p_values.inspect
      end
    end
  end

  test "finds whatever Holm finds, and keeps the order" do
    100.times do
      p_values = Array.new(7) { @random.rand**4 }
      adjusted = BenjaminiHochberg.adjust(p_values)
      adjusted.zip(Holm.adjust(p_values)) { |mine, holm| assert_operator mine, :<=, holm + 1e-15 }
      ranks = adjusted.each_index.sort_by { |index| [adjusted[index], p_values[index]] }
      assert_equal p_values.each_index.sort_by { |index| p_values[index] }, ranks
    end
  end

  test "one test stays as it is, none is none, and 1 is the most" do
    assert_equal [0.03], BenjaminiHochberg.adjust([0.03])
    assert_equal [], BenjaminiHochberg.adjust([])
    assert_equal [1.0, 1.0], BenjaminiHochberg.adjust([1.0, 1.0])
  end

  test "among what is found, the share of false findings is held" do
    shares = Array.new(1500) do
      truths = Array.new(12) { |index| index < 6 }
      p_values = truths.map { |null| null ? @random.rand : @random.rand**6 }
      found = BenjaminiHochberg.adjust(p_values).map { |p| p <= 0.1 }
      false_ones = truths.zip(found).count { |null, finding| null && finding }
      false_ones.fdiv([found.count(true), 1].max)
    end
    # 5 %: the rate times the share of true nulls; four standard errors.
    assert_in_delta 0.05, Center.mean(shares), 0.015
  end
end
