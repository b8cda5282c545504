# frozen_string_literal: true

require "test_helper"

class ValueTest < Mohs::TestCase
  Pair = Struct.new(:one, :two, keyword_init: true) { include Mohs::Value }

  test "what includes it is a Struct that nobody can change" do
    pair = Pair.new(one: 1)

    assert_equal [[1, nil], { one: 1, two: nil }], [pair.to_a, pair.to_h]
    assert_raises(FrozenError) { pair.one = 2 }
    assert_raises(ArgumentError) { Pair.new(three: 3) }
  end

  [Mohs::Study, Mohs::Plan, Mohs::Stats::Interval, Mohs::App::Answer, Mohs::Load::StepResult]
    .each { |kind| test("#{kind} is one") { assert_predicate kind.new, :frozen? } }
end
