# frozen_string_literal: true

require "test_helper"

# Who stands in for a baseline that does not run.
class StandInTest < Mohs::TestCase
  def stand_in(states, flags: {}, named: false, **more)
    variants = states.keys.map { |name| { name:, flags: flags[name].to_a } }
    trials = states.flat_map { |variant, ends| ends.map { |state| { variant:, state: } } }
    study = { baseline: "base", baseline_named: named, variants:, **more }
    Mohs::Analysis::StandIn.call(Mohs::Study.from_h(Mohs::Stored.study(study)),
                             Mohs::Stored.trials(trials))
  end

  test "nobody, while the baseline may still run" do
    ["", "measured", "started", "lost", "failed measured", "measured invalid"].each do |ends|
      assert_nil stand_in({ "base" => ends.split, "x" => %w[measured] }), ends
    end
  end

  %w[refused invalid failed].each do |state|
    test "a baseline that was #{state} has one" do
      assert_equal "x", stand_in({ "base" => [state], "x" => %w[measured] })
    end
  end

  test "nobody for one that the person named" do
    ends = { "base" => %w[refused], "x" => %w[measured] }

    assert_nil stand_in(ends, named: true)
    assert_nil stand_in(ends, comparison: { candidate: "x", gates: [] })
  end

  test "only who was measured, and is not given up" do
    assert_nil stand_in({ "base" => %w[refused], "x" => %w[refused], "y" => [], "z" => %w[failed] })
    assert_equal "y", stand_in({ "base" => %w[refused], "x" => %w[measured measured invalid],
                                 "y" => %w[failed measured] })
  end

  test "one without flags first, else the first written" do
    ends = { "base" => %w[refused], "x" => %w[measured], "y" => %w[measured], "z" => %w[measured] }
    assert_equal "y", stand_in(ends, flags: { "x" => ["--yjit"] })
    assert_equal "x", stand_in(ends, flags: %w[x y z].to_h { |name| [name, ["--yjit"]] })
    assert_equal "x", stand_in(ends, flags: { "x" => %w[--yjit -W0], "y" => %w[--yjit],
                                              "z" => %w[--jit] }), "two are as good as one"
  end

  test "who stood in once goes on, whoever else was measured since" do
    assert_equal "y", stand_in({ "base" => %w[refused], "x" => %w[measured],
                                 "y" => %w[measured measured] }, flags: { "y" => ["--yjit"] })
  end
end
