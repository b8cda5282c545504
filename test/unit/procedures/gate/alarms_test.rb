# frozen_string_literal: true

require "test_helper"

# Simulated pushes: false alarms stay as rare as promised, also where the truth is at
# the limit itself, and without levels of repeated looks they would not. (benchmark/gate has
# more of them, with recorded noise.)
class GateAlarmsTest < Mohs::TestCase
  COUNT = 1000
  PUSHES = 50
  LIMIT = Math.log(1.02)
  LOOKS = Mohs::Stats::Sequential::LOOKS

  # { outcome => number of pushes } with it as their worst. effect: log ratio of the metric. fails:
  # the test by which a gate does.
  def pushes(effect, gates: 1, count: COUNT, sd: 0.008, fails: nil)
    levels = Mohs::Gate::FalseAlarms.new(pushes: PUSHES, gates:).levels
    fails ||= Mohs::Stats::Sequential.new(alpha: levels[:fails])
    holds = Mohs::Stats::Sequential.new(alpha: levels[:holds])
    noise = Noise.new(1)
    Array.new(count) {
      logs = Array.new(gates) { Array.new(LOOKS.last) { -effect + (sd * noise.normal) } }
      push(logs, fails, holds)
    }.tally
  end

  def push(logs, fails, holds)
    found = nil
    LOOKS.each do |look|
      found = logs.map { |all| outcome(all.first(look), fails, holds) }
      break unless found.include?("inconclusive")
    end
    Mohs::Gate::PageGates.worst(found)
  end

  def outcome(logs, fails, holds)
    return "fails" if fails.equivalence_interval(logs).high <= -LIMIT

    holds.equivalence_interval(logs).low > -LIMIT ? "holds" : "inconclusive"
  end

  test "at the limit itself no more pushes fail than promised" do
    # One in 50, and three standard errors.
    found = [1, 2].map { |gates| pushes(LIMIT, gates:).fetch("fails", 0) }

    assert(found.all? { |count| count <= 33 }, found.inspect)
    assert_operator found.first, :>=, 7
  end

  test "nothing fails where nothing changed, and nearly all holds" do
    found = pushes(0.0, gates: 2)

    assert_equal 0, found.fetch("fails", 0)
    assert_operator found["holds"], :>=, 990
  end

  test "5 % are found" do
    assert_operator pushes(Math.log(1.05), gates: 2, count: 300)["fails"], :>=, 297
  end

  test "with intervals of one look more would fail than promised" do
    careless = Mohs::Stats::Sequential.new(alpha: 0.1, levels: ComputedLevels)

    assert_operator careless.nominal, :<, 0.04
    assert_operator pushes(LIMIT, fails: careless)["fails"], :>, 33
  end
end
