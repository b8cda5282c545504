# frozen_string_literal: true

require "test_helper"

class ForecastTest < Mohs::TestCase
  def forecast(differences, **options)
    comparison = Mohs::Stored.comparison(CompareResult.new(differences, **options).to_h)
    Mohs::Compare::Forecast.new(comparison).finding
  end

  def values(...) = forecast(...).values.values_at(:margin, :needed_s, :wider)

  # Cohorts of five seconds each.
  test "time for the margin, and the margin that this time was enough for" do
    assert_equal [0.01, 125.0, 0.05], values([0.01, -0.01, 0.007, -0.004])
  end

  test "a wider margin needs less time" do
    margin, needed_s, = values([0.01, -0.01, 0.01, 0.0], comparison: { margin: 0.02 })

    assert_equal 0.02, margin
    assert_operator needed_s, :<, values([0.01, -0.01, 0.01, 0.0])[1]
  end

  # Simulated, such a time is enough in 46 to 73 of 100 cases only.
  test "where cohorts spread by more than 1.2 times the margin the time is a least one" do
    found = [[0.01, -0.01, 0.007, -0.004], [0.0125, -0.0125] * 6].map do |differences|
      forecast(differences)
    end

    assert_equal [["forecast", false], ["forecast", true]],
                 found.map { |one| [one.code, one.values[:least]] }
  end

  # No look comes after the thirtieth cohort, however long the budget.
  test "what the last look could not decide is not proposed" do
    assert_equal [0.01, nil, 0.2], values([0.02, -0.03, 0.01, 0.0])
  end

  test "in its place is the smallest margin that more time decides" do
    found = forecast([0.02, -0.03, 0.01, 0.0]).values

    assert_equal [0.02, 0.2], found.values_at(:resolved, :wider)
    assert_operator found[:resolved_s], :>, 4 * 5
    refute forecast([0.01, -0.01, 0.007, -0.004]).values[:resolved], "the margin itself"
    refute forecast([0.5, -0.6, 0.4]).values[:resolved]
  end

  test "a wait of hours is not proposed" do
    assert_equal [0.01, nil, nil], values([0.5, -0.6, 0.4])
  end

  test "the next look at least is needed, however little they vary" do
    assert_in_delta 5 * 5.0, forecast([0.0, 0.0001, 0.0, 0.0001]).values[:needed_s], 1e-9
    assert_in_delta 8 * 5.0, forecast([0.0, 0.0001] * 3).values[:needed_s], 1e-9
  end

  test "an hour is the longest wait that is proposed" do
    minutes = ->(trial, _, position) { trial[:started_ms] -= 1000 * 60 * 5 unless position.zero? }
    needed = [nil, minutes].map do |trial|
      forecast([0.01, -0.01, 0.007, -0.004], trial:).values[:needed_s]
    end

    assert_in_delta 25 * 5, needed.first, 1e-9
    assert_nil needed.last
  end

  test "a wider margin is one that the time so far was enough for" do
    wider = [0.004, 0.012, 0.03, 0.5].map do |sd|
      forecast([sd, -sd, sd, -sd, sd]).values[:wider]
    end

    assert_equal wider.compact.sort, wider.compact
    assert_nil wider.last
    wider.compact.each { |margin| assert_operator margin, :>, 0.01 }
    proposed = 1.step(120, times(2, 1)).filter_map do |part|
      sd = part / 1000.0
      forecast([sd, -sd, sd, -sd, sd]).values[:wider]
    end
    assert_equal [0.02, 0.03, 0.05, 0.1, 0.2], proposed.uniq
  end

  test "a spread is not known before three cohorts" do
    [[], [0.2], [0.02, 0.03]].each { |differences| assert_nil forecast(differences) }
    assert forecast([0.2, 0.1, 0.15])
  end
end
