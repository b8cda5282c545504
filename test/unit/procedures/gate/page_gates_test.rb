# frozen_string_literal: true

require "test_helper"
require "support/gated"

# How long a gate that neither holds nor fails would take.
class AnalysisPageGatesTest < Mohs::TestCase
  PULSE = { pace_ns: 800.0, memory_ns: 4500.0 }.freeze
  NEAR = [0.004, -0.004, 0.002, -0.002, 0.001].freeze

  def gate(limit, differences = NEAR, **options)
    gated = Gated.new({ "/" => [limit] }, { "/" => differences }, options: { "/" => options })
    gated.result.pages.first.gates.results.first
  end

  # The cores' speed moves every slice, and the adjustment may be off by some per mille.
  def restless
    noise = Noise.new(5)
    lambda do |slice, *|
      slow = 0.1 * noise.normal
      slice[:wall_ns] = (slice[:wall_ns] * Math.exp(slow)).round
      slice[:facts] = { pulse: PULSE.transform_values { |time| time * Math.exp(slow) } }
    end
  end

  # B serves a tenth in one of its slices: trimming leaves that out, the totals don't.
  def stop
    lambda do |slice, name, index, _|
      slice[:good] = slice[:sent] = 100 if name == "b" && index == 8
    end
  end

  test "a gate that is open says how long it would take" do
    found = gate("throughput > -0.3%")

    assert_equal "inconclusive", found.outcome
    assert_operator found.needed_s, :>, 25
    assert_nil gate("throughput > -9%").needed_s
  end

  test "no time decides what is nearer to the limit than the adjustment may be off by" do
    found = gate("throughput > -0.3%", slice: restless)

    assert_equal ["inconclusive", nil], [found.outcome, found.needed_s]
  end

  test "no time makes a gate hold whose totals are beyond the limit" do
    found = gate("throughput > -2%", slice: stop)

    assert_equal ["inconclusive", nil], [found.outcome, found.needed_s]
    refute_nil found.interval
  end

  test "the distance to a limit, whichever side is allowed and whatever more means" do
    { "throughput > -2%" => [0.0, -Math.log(0.98)], "cpu < +2%" => [0.0, Math.log(1.02)],
      "cpu < +5%" => [-0.05, Math.log(1.05) - 0.05], "p50 > +1%" => [-0.1, 0.1 - Math.log(1.01)],
      "throughput < +3%" => [0.1, Math.log(1.03) - 0.1] }.each do |text, (log, distance)|
      assert_in_delta distance, Mohs::Compare::Condition.parse(text).distance(log), 1e-12, text
    end
  end
end
