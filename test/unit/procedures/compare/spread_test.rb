# frozen_string_literal: true

require "test_helper"

class ComparisonSpreadTest < Mohs::TestCase
  def spread(differences, **options)
    Mohs::Stored.comparison(CompareResult.new(differences, **options).to_h)
                    .then { |comparison| Mohs::Compare::Spread.new(comparison).to_h }
  end

  test "where blocks are without noise, boots are all there is" do
    found = spread([0.01, 0.02, 0.03])

    assert_in_delta 0.01, found[:sd], 1e-6
    assert_in_delta 0.01, found[:boots], 1e-6
  end

  test "where blocks explain it, boots add nothing" do
    noise = Noise.new(3)
    jitter = lambda do |slice, *|
      slice[:wall_ns] = (slice[:wall_ns] * Math.exp(0.3 * noise.normal)).round
    end

    found = spread([0.002] * 30, slice: jitter)
    assert_operator found[:boots], :<, found[:sd] / 2
  end

  test "the share that core speed explains is that of the deciding metric, if slices have it" do
    noise = Noise.new(6)
    slowed = lambda do |slice, *|
      slow = Math.exp(0.2 * noise.normal)
      slice[:facts] = { pulse: { pace_ns: 300 * slow } }
      slice[:wall_ns] = (slice[:wall_ns] * slow).round
    end

    found = spread([0.1, 0.101, 0.099], slice: slowed)
    assert_operator found[:pace], :>, 0.99
    assert found[:pace_much]
    other = spread([0.1, 0.2, 0.3], slice: slowed, comparison: { metric: "memory" })
    assert_equal [nil, nil], other.values_at(:pace, :pace_much)
  end

  test "a tenth of the noise is much to be explained by core speed" do
    found = [0.1, 0.099, nil].map do |share|
      comparison = Mohs::Stored.comparison(CompareResult.new([0.1, 0.2, 0.3]).to_h)
      comparison.adjustment.define_singleton_method(:explained) { |_| share }
      Mohs::Compare::Spread.new(comparison).to_h.values_at(:pace, :pace_much)
    end

    assert_equal [[0.1, true], [0.099, false], [nil, nil]], found
  end

  # The length of the next cohort.
  def blocks(differences, **options)
    comparison = Mohs::Stored.comparison(CompareResult.new(differences, **options).to_h)
    Mohs::Compare::Spread.new(comparison).blocks
  end

  test "a cohort's length follows what was seen from the eighth on, at looks alone" do
    eleven = Array.new(11) { |at| at / 100.0 }
    [0, 1, 7].each { |count| assert_nil blocks(eleven.first(count)) }
    assert_equal 6, blocks(eleven.first(8)), "boots are all there is: the fewest blocks"
    assert_equal blocks(eleven.first(10)), blocks(eleven)
  end

  # Slow pages have long slices, and few blocks: six would take longer than all that led there.
  test "where each is alone it has as many blocks as side by side, two to six" do
    kept = [1, 3, 7].map do |count|
      fewer = ->(trial, *) { trial[:slices] = trial[:slices].reject { _1[:block].to_i >= count } }
      comparison = Mohs::Stored.comparison(CompareResult.new([0.3, 0.31, 0.3], trial: fewer).to_h)
      Mohs::Compare::Spread.new(comparison).blocks_alone
    end

    assert_equal [2, 3, 6], kept
  end

  test "where blocks explain it all, it doubles" do
    jitter = lambda do |slice, name, *|
      next unless name == "b" && slice[:block]

      slice[:wall_ns] = (slice[:wall_ns] * (slice[:block].even? ? 1.3 : 1 / 1.3)).round
    end
    all = CompareResult.new([0.001, 0.002] * 4).to_h[:cohorts]
    now = all.first[:trials].first[:slices].filter_map { |slice| slice[:block] }.uniq.size

    assert_equal 2 * now, blocks([0.001, 0.002] * 4, slice: jitter)
  end

  test "two cohorts say nothing; memory has no blocks" do
    assert_equal({ sd: nil, boots: nil, pace: nil, pace_much: nil }, spread([0.1, 0.2]))
    assert_nil spread([0.1, 0.2, 0.3], comparison: { metric: "memory" })[:boots]
  end
end
