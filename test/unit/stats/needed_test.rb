# frozen_string_literal: true

require "test_helper"

class StatsNeededTest < Mohs::TestCase
  Needed = Mohs::Stats::Needed

  test "(3.5 sd / delta)^2, at least four, whole cohorts" do
    assert_equal 4, Needed.cohorts(sd: 0.002, delta: 0.02)
    assert_equal 13, Needed.cohorts(sd: 0.01, delta: 0.01)
    assert_equal 13, Needed.cohorts(sd: 0.01, delta: -0.01)
    assert_equal 28, Needed.cohorts(sd: 0.03, delta: 0.02)
  end

  # Cohorts to a verdict.
  def measured(decision, sd, delta, noise)
    values = []
    loop do
      values << (delta + (sd * noise.normal))
      return values.size unless decision.call(values) == :continue
    end
  end

  test "about as many as decide" do
    decision = Mohs::Stats::Sequential::Decision.new(Mohs::Stats::Sequential.new, margin: nil)
    noise = Noise.new(2)
    [[0.005, 0.02], [0.0075, 0.01], [0.01, 0.01], [0.02, 0.02]].each do |sd, delta|
      needed = Needed.cohorts(sd:, delta:)
      mean = Array.new(300) { measured(decision, sd, delta, noise) }.sum / 300.0
      assert_in_delta needed, mean, 0.35 * needed, [sd, delta].inspect
    end
  end
end
