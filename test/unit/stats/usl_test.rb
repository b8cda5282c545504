# frozen_string_literal: true

require "test_helper"

class StatsUslTest < Mohs::TestCase
  include Mohs::Stats

  LEVELS = [1, 2, 4, 8, 16, 32].freeze

  def setup = @noise = Noise.new(14)

  def law(gain, contention, coherency) = Usl.new(gain:, contention:, coherency:)

  def points(law, sd: 0.0, levels: LEVELS)
    levels.map { |n| [n, law.at(n) * Math.exp(sd * @noise.normal)] }
  end

  def loss(law, points)
    points.sum { |n, x, weight = 1| weight * (Math.log(x / law.at(n))**2) }
  end

  test "data that follow the law give it back, whatever its coefficients" do
    [
      [100, 0.05, 0.001], [3, 0.0, 0.0], [8e5, 0.9, 0.3], [70, -0.02, 0.0004], [70, 0.2, -0.001],
      [0.001, 0.0, 1.0], [40, 1.5, 0.01],
    ].each do |coefficients|
      found = Usl.fit(points(law(*coefficients)))
      coefficients.zip(found.to_a) do |wanted, got|
        assert_in_delta wanted, got, 1e-6 * (1 + wanted)
      end
    end
  end

  test "no law of a fine grid around it fits better, weights or not" do
    data = points(law(100, 0.06, 0.002), sd: 0.08)
    [data, data.each_with_index.map { |point, i| [*point, 1 + i] }].each do |given|
      fit = Usl.fit(given)
      best = loss(fit, given)
      steps = [-0.02, -0.002, 0, 0.002, 0.02]
      steps.product(steps, steps) do |gain, contention, coherency|
        near = law(fit.gain * (1 + gain), fit.contention + contention, fit.coherency + coherency)
        next if LEVELS.any? { |n| near.at(n) <= 0 }

        assert_operator loss(near, given), :>=, best - 1e-12
      end
    end
  end

  test "a heavy weight pulls the law to its point" do
    data = points(law(100, 0.05, 0.001))
    data[3] = [8, 400.0]
    off = ->(fit) { (Math.log(fit.at(8)) - Math.log(400)).abs }
    heavy = data.each_with_index.map { |point, i| [*point, i == 3 ? 1000 : 1] }
    assert_operator off.(Usl.fit(heavy)), :<, off.(Usl.fit(data)) / 5
  end

  test "a point without a weight has that of 1" do
    data = points(law(100, 0.06, 0.002), sd: 0.08)
    weighted = data.each_with_index.map { |point, i| i.even? ? [*point, 1] : point }
    assert_equal Usl.fit(data), Usl.fit(weighted)
  end

  test "the peak is where throughput is largest" do
    law = law(100, 0.05, 0.001)
    best = (10..60).step(0.01).max_by { |n| law.at(n) }
    assert_in_delta best, law.peak, 0.01
    assert_in_delta 1.0, law(100, 1.2, 0.1).peak, 0
    assert_nil law(100, 0.05, 0.0).peak
    assert_nil law(100, 0.05, -0.1).peak
  end

  test "three levels are needed, and throughput" do
    assert_nil Usl.fit([[1, 10.0], [2, 19.0], [2, 18.0], [1, 11.0]])
    assert_nil Usl.fit([])
    assert_nil Usl.fit([[1, 10.0], [2, 19.0], [4, 0]])
    refute_nil Usl.fit([[1, 10.0], [2, 19.0], [4, 30.0], [8, 0]])
  end

  test "what follows no such law is none, or one that is finite" do
    random = Random.new(3)
    50.times do
      fit = Usl.fit(LEVELS.map { |n| [n, 10**random.rand(-2.0..2.0)] })
      next unless fit

      assert fit.to_a.all?(&:finite?), fit.inspect
      assert_operator fit.gain, :>, 0
    end
  end

  test "boots agree on a peak that is there" do
    law = law(120, 0.05, 0.002)
    boots = Array.new(5) { points(law, sd: 0.02) }
    curve = Usl::Curve.of(boots, random: Random.new(1), replicates: 200)
    assert_in_delta 1.0, curve.share, 0.01
    assert_in_delta law.peak, curve.peak.value, 3
    assert_includes curve.peak.low..curve.peak.high, curve.peak.value
    assert_equal [5, 32, false], [curve.peak.count, curve.highest, curve.beyond?]
    assert_equal Usl.fit(boots.flatten(1)), curve.fit
  end

  test "where throughput only levels off, hardly ever is a peak named, and never one seen" do
    curves = Array.new(40) do |seed|
      boots = Array.new(5) { points(law(120, 0.1, 0.0), sd: 0.03) }
      Usl::Curve.of(boots, random: Random.new(seed), replicates: 60)
    end
    named, not_named = curves.partition(&:peak)
    # Some 10 % (see Usl::Curve); four standard errors.
    assert_operator named.size, :<=, 12
    assert named.all?(&:beyond?)
    not_named.each { |curve| assert_operator curve.share, :<, 0.95 }
    assert not_named.none?(&:beyond?)
  end

  test "a peak beyond what was measured is told apart" do
    boots = Array.new(4) { points(law(120, 0.01, 0.0005), sd: 0.001, levels: [1, 2, 4, 8, 12, 16]) }
    curve = Usl::Curve.of(boots, random: Random.new(1), replicates: 100)
    assert_predicate curve, :beyond?
    assert_operator curve.peak.value, :>, 16
  end

  test "of three boots two are drawn: one drawn twice is in a ninth of the replicates" do
    boots = Array.new(3) { points(law(120, 0.05, 0.002), sd: 0.02) }
    peaks = boots.map { |boot| Usl.fit(boot).peak }
    curve, middle = [0.85, 0.5].map do |level|
      Usl::Curve.of(boots, random: Random.new(1), level:, replicates: 400)
    end
    assert_in_delta peaks.min, curve.peak.low, 1e-9
    assert_in_delta peaks.max, curve.peak.high, 1e-9
    assert_operator middle.peak.low, :>, peaks.min + 1e-9
  end

  test "intervals of both coefficients hold about as often as they say, from three boots on" do
    law = law(300, 0.12, 0.01)
    held = Array.new(60) do |seed|
      boots = Array.new(3) do
        drift = 0.01 * @noise.normal
        points(law, sd: 0.01, levels: [1, 3, 5, 16]).map { |n, x| [n, x * Math.exp(drift)] }
      end
      curve = Usl::Curve.of(boots, random: Random.new(seed), replicates: 60)
      %i[contention coherency].map do |term|
        curve[term].low <= law[term] && law[term] <= curve[term].high
      end
    end
    # 95 % of 60, less four standard errors.
    held.transpose.each { |each| assert_operator each.count(true), :>=, 50 }
  end

  test "of fewer boots the coefficients have no interval" do
    few = Usl::Curve.of(Array.new(2) { points(law(120, 0.05, 0.002)) }, random: Random.new(1))

    assert_in_delta 0.05, few.contention.value, 1e-6
    assert_equal [nil, nil, 2], [few.contention.low, few.coherency.high, few.coherency.count]
  end

  test "two boots give a law, no peak; the seed repeats" do
    boots = Array.new(3) { points(law(120, 0.05, 0.002), sd: 0.02) }
    few = Usl::Curve.of(boots.first(2), random: Random.new(1))
    assert_equal [nil, nil, 32], [few.share, few.peak, few.highest]
    refute_nil few.fit
    curves = Array.new(2) { Usl::Curve.of(boots, random: Random.new(5), replicates: 50) }
    assert_equal(*curves)
    assert_nil Usl::Curve.of([], random: Random.new(1)).fit
  end
end
