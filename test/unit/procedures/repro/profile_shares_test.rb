# frozen_string_literal: true

require "test_helper"

# Shares of made-up profiles, where the truth is known.
class ProfileSharesTest < Mohs::TestCase
  A = { application: 30.0, query: 50.0, gc: 20.0 }.freeze
  B = { application: 34.0, query: 40.0, gc: 26.0 }.freeze

  def shares(a: A, b: B, alpha: 0.05, fatal: ->(_, _) {}, **options)
    made = Mohs::ProfiledTrials.new(a: { "cpu" => a, "wait" => { lock: 900.0 } },
                                    b: { "cpu" => b }, noise: 0.001, **options)
    cohorts = made.pairs.map do |pair|
      pair.flatten.zip(%w[a b]).map { |trial, name| Trial.new(id: trial.id, variant: name) }
    end
    yield cohorts, made.profiles if block_given?
    Mohs::Repro::ProfileShares.new(cohorts, profiles: made.profiles, category:, alpha:, fatal:)
  end

  Trial = Struct.new(:id, :variant, keyword_init: true)

  def category = Mohs::Profile::Category.new(servers: %w[puma], app: "/home/someone/shop")

  test "shares are those of time on a core, the largest category first" do
    one, other = shares(a: A.transform_values { |us| us * 100 }).levels(%w[b a])

    assert_equal ["b", 4, 50 * 4, %w[ActiveRecord application GC]],
                 [one.name, one.trials, one.samples, one.categories.keys[0, 3]]
    found = other.categories.transform_values { |interval| interval.value.round(2) }
    assert_equal({ "ActiveRecord" => 0.5, "application" => 0.3, "GC" => 0.2 }, found)
  end

  test "an interval is wider where there are fewer samples, and there is none of two boots" do
    gc = ->(found) { found.share(%w[a GC]).interval }
    few, many = gc[shares], gc[shares(a: A.transform_values { |us| us * 100 })]

    assert_operator few.high - few.low, :>, 5 * (many.high - many.low)
    assert_includes (many.low..many.high), 0.2
    assert_equal [nil, nil], gc[shares(cohorts: 2)].then { |one| [one.low, one.high] }
    assert_operator gc[shares(alpha: 0.01)].high, :>, few.high
  end

  test "two variants are compared by the cohorts that had both" do
    found = shares.ratio(%w[a GC], %w[b GC])
    lonely = shares { |cohorts, _| cohorts.first.pop }

    assert_in_delta 1.3, found.interval.value, 0.05
    assert_equal [4, 3, 4, 3],
                 [found.effect.count, lonely.ratio(%w[a GC], %w[b GC]).effect.count,
                  *%w[a b].map { |name| lonely.share([name, "GC"]).effect.count }]
  end

  test "two categories of one variant are compared within each boot" do
    found = shares.ratio(%w[a GC], %w[a ActiveRecord])

    assert_in_delta 2.5, found.interval.value, 0.1
    assert_in_delta Math.sqrt(((1 / 10.5) + (1 / 25.5)) / 4), found.effect.error, 0.01
    assert_operator found.above(1.0), :<, 0.05
    assert_operator found.below(1.0), :>, 0.95
  end

  test "a category without a sample has a share, of less than one sample" do
    found = shares.share(%w[a views]).interval

    assert_operator found.value, :<, 1 / 50.0
    assert_operator found.value, :>, 0
  end

  test "without a profile a boot doesn't count, nor with one that has no time on a core" do
    one = shares do |cohorts, profiles|
      profiles.delete(cohorts.first.first.id)
      idle = profiles.fetch(cohorts.last.first.id)
      idle.stacks.select! { |(kind, _), _| kind == "wait" }
    end
    none = shares { |_, profiles| profiles.clear }

    assert_equal [2, 4], one.levels(%w[a b]).map(&:trials)
    assert_equal [true, true, false, false],
                 [one.sampled?("a"), one.sampled?("b"), one.sampled?("c"), none.sampled?("a")]
    assert_empty none.levels(%w[a b])
    assert_equal 0, none.share(%w[a GC]).effect.count
  end

  test "what makes a comparison meaningless is asked of its variants" do
    asked = []
    fatal = lambda do |*names|
      asked << names
      "dead"
    end
    found = shares(fatal:)

    assert_equal %w[dead dead],
                 [found.share(%w[a GC]), found.ratio(%w[a GC], %w[b GC])].map(&:fatal)
    assert_equal [%w[a a], %w[a b]], asked
  end
end
