# frozen_string_literal: true

require "test_helper"

class CompareLoadingTest < Mohs::TestCase
  def loading(*rates, metric: "p99")
    variants = %w[a b].zip(rates).map { |name, rate| Mohs::Study::Variant.new(name:, rate:) }
    rules = Mohs::Compare::Rules.new(candidate: "b", gates: [], metric:)
    Mohs::Compare::Loading.new(Mohs::Study.new(variants:, baseline: "a", rules:))
  end

  test "where the p99 decides at a rate, each server has two slices of half its requests" do
    slices = [loading(200, 200), loading(30, 30), loading(200, 30)].map(&:slice_s)

    assert_equal [2.0, 7.5, 7.5], slices
    assert_equal 450, loading(200, 200).requests
  end

  test "without a rate it has the requests, and without a p99 what any other cohort has" do
    assert_equal [450, nil], [loading.requests, loading.slice_s]
    other = loading(200, 200, metric: "rps")

    assert_equal [nil, nil], [other.requests, other.slice_s]
  end
end
