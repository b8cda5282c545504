# frozen_string_literal: true

require "test_helper"

class FalseAlarmsTest < Mohs::TestCase
  ALARMS = Mohs::Gate::FalseAlarms

  test "the gates of a push share the chance of one false alarm in a month's pushes" do
    alarms = ALARMS.new(pushes: 400, gates: 6)

    assert_in_delta 1.0 / 400, alarms.chance
    assert_in_delta 1.0 / 2400, alarms.levels[:fails], 1e-12
    assert_in_delta alarms.chance * 400, 1
  end

  test "a missed regression is a mistake about one gate, whatever their number" do
    assert_equal [0.05], [1, 6, 100].map { |gates| ALARMS.new(gates:).levels[:holds] }.uniq
    assert_equal 400, ALARMS.new(gates: 1).pushes
  end

  test "every level that can be asked for has bounds" do
    [[1, 1], [2, 1], [400, 1], [400, 100], [100_000, 50]].each do |pushes, gates|
      levels = ALARMS.new(pushes:, gates:).levels
      bounds = levels.values.map { |alpha| Mohs::Stats::Sequential.new(alpha:).nominal }

      assert(bounds.all? { |nominal| nominal.positive? && nominal < 0.02 }, [pushes, gates])
    end
  end
end
