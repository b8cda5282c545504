# frozen_string_literal: true

require "test_helper"

class StatsModeratedTest < Mohs::TestCase
  Moderated = Mohs::Stats::Moderated

  test "ten degrees of a prior widened by half beside those at hand" do
    values = [0.010, 0.014, 0.018] # sd .004, two degrees
    moderated = Moderated.new(prior_sd: 0.006)
    sd = Math.sqrt(((10 * (0.009**2)) + (2 * (0.004**2))) / 12)
    assert_in_delta sd, moderated.sd(values), 1e-15
    interval = moderated.interval(values)
    half = 2.1788128296634177 * sd / Math.sqrt(3) # R: qt(.975, 12)
    assert_in_delta 0.014, interval.value, 1e-15
    assert_in_delta 0.014 - half, interval.low, 1e-12
    assert_in_delta 0.014 + half, interval.high, 1e-12
    assert_equal 3, interval.count
  end

  test "narrower than Student's for three of a usual spread" do
    values = [-0.01, 0.0, 0.01]
    student = Mohs::Stats::Interval.of(values)
    moderated = Moderated.new(prior_sd: 0.01).interval(values)
    assert_operator moderated.high, :<, 0.8 * student.high
  end

  test "many values outweigh the prior" do
    noise = Noise.new(6)
    values = Array.new(2000) { noise.normal }
    assert_in_delta Mohs::Stats::Spread.sd(values), Moderated.new(prior_sd: 2.0).sd(values), 0.03
  end

  test "a stricter level is wider" do
    values = [0.01, 0.02]
    widths = [0.9, 0.95, 0.992].map do |level|
      Moderated.new(prior_sd: 0.01).interval(values, level:).then { |it| it.high - it.low }
    end
    assert_equal widths.uniq.sort, widths
  end

  test "one value, or none, has no interval" do
    moderated = Moderated.new(prior_sd: 0.01)
    one = moderated.interval([0.3])
    assert_equal [0.3, nil, nil, 1], [one.value, one.low, one.high, one.count]
    assert_equal [nil, 0], moderated.interval([]).then { |it| [it.value, it.count] }
  end

  # False findings of three cohorts whose sd is so many times the prior.
  def wrong(factor)
    noise = Noise.new(8)
    moderated = Moderated.new(prior_sd: 1.0)
    1000.times.count do
      interval = moderated.interval(Array.new(3) { factor * noise.normal })
      !0.0.between?(interval.low, interval.high)
    end
  end

  test "holds while the host is not much noisier than it was, and not beyond" do
    assert_operator wrong(1.0), :<=, 20
    assert_operator wrong(1.5), :<=, 50
    assert_operator wrong(3.0), :>, 150
  end
end
