# frozen_string_literal: true

require "test_helper"

class ForecastTest < Mohs::TestCase
  def forecast(differences, **options)
    comparison = Mohs::Stored.comparison(CompareResult.new(differences, **options).to_h)
    Mohs::Analysis::Comparison::Forecast.new(comparison).finding
  end

  def text(...) = Mohs::Stored.texts([forecast(...)]).first

  # Cohorts of five seconds each.
  test "time for the margin, and the margin that this time was enough for" do
    assert_equal "this host now needs about 5 min for 1 % (--budget 5m), or --margin 5%",
                 text([0.02, -0.03, 0.01, 0.0])
  end

  test "short waits are told in seconds" do
    assert_match(/\Athis host now needs about \d0 s for 2 % \(--budget \d0s\)/,
                 text([0.01, -0.01, 0.01, 0.0], comparison: { margin: 0.02 }))
  end

  test "a wait of hours is not proposed" do
    assert_equal "this host is too noisy to resolve 1 %", text([0.5, -0.6, 0.4])
  end

  test "at least one cohort more is needed, however little they vary" do
    differences = [0.0, 0.0001, 0.0, 0.0001]

    assert_in_delta 5 * 5.0, forecast(differences).values[:needed_s], 1e-9
  end

  test "an hour is the longest wait that is proposed" do
    needed = [0.05, 0.06, 0.07, 0.08, 0.09].map do |sd|
      differences = [sd, -sd, sd, -sd].map { |one| one * Math.sqrt(3) / 2 }
      count = Mohs::Stats::Needed.cohorts(sd:, delta: Math.log(1.01))
      [count * 5, forecast(differences).values[:needed_s]]
    end

    needed.each do |seconds, result|
      seconds > 3600 ? assert_nil(result) : assert_in_delta(seconds, result, 6)
    end
    assert_equal [true, false], needed.map(&:last).then { |all| [all.any?, all.all?] }
  end

  test "a wider margin is one that the time so far was enough for" do
    wider = [0.004, 0.012, 0.03, 0.5].map do |sd|
      forecast([sd, -sd, sd, -sd, sd]).values[:wider]
    end

    assert_equal wider.compact.sort, wider.compact
    assert_nil wider.last
    wider.compact.each { |margin| assert_operator margin, :>, 0.01 }
    proposed = (1..120).filter_map do |part|
      sd = part / 1000.0
      forecast([sd, -sd, sd, -sd, sd]).values[:wider]
    end
    assert_equal [0.02, 0.03, 0.05, 0.1, 0.2], proposed.uniq
  end

  test "a spread is not known before two cohorts" do
    assert_nil forecast([])
    assert_nil forecast([0.2])
    assert forecast([0.2, 0.1])
  end

  test "the proposed budget would have been enough for cohorts of this spread" do
    differences = [0.02, -0.03, 0.01, 0.0]
    sd = Mohs::Stats::Spread.sd(differences)
    seconds = Mohs::Stats::Needed.cohorts(sd:, delta: Math.log(1.01)) * 5

    assert_operator forecast(differences).values[:needed_s], :>=, seconds
  end
end
