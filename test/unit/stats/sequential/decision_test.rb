# frozen_string_literal: true

require "test_helper"

class StatsSequentialDecisionTest < Mohs::TestCase
  Sequential = Mohs::Stats::Sequential

  # Around a mean of 0, sd 1 %.
  WIDE = [0.01, -0.01, 0.01, -0.01, 0.01, -0.01, 0.01, -0.01].freeze

  def decide(differences, margin: 0.01, precision: nil, **options)
    Sequential::Decision.new(Sequential.new, margin:, precision:, **options).call(differences)
  end

  test "goes on until the first look" do
    assert_equal :continue, decide([])
    assert_equal :continue, decide([0.5])
    assert_equal :continue, decide([0.5, 0.5])
    assert_equal :differs, decide([0.5, 0.51, 0.49])
  end

  test "differs in either direction" do
    assert_equal :differs, decide([-0.2, -0.21, -0.19, -0.2])
    assert_equal :differs, decide([0.2, 0.21, 0.19, 0.2])
  end

  test "what differs within the margin differs all the same" do
    assert_equal :differs, decide([0.0030, 0.0031, 0.0032], margin: 0.01)
  end

  test "equivalent within the margin, if anybody asked" do
    close = WIDE.map { |d| d / 10 }
    assert_equal :equivalent, decide(close)
    assert_equal :continue, decide(close, margin: 0.0005)
    assert_equal :continue, decide(close, margin: nil)
  end

  test "precise once half of the interval is narrow enough" do
    half = Sequential.new.half_width(WIDE)
    assert_equal :precise, decide(WIDE, margin: nil, precision: Math.exp(half * 1.001) - 1)
    assert_equal :continue, decide(WIDE, margin: nil, precision: Math.exp(half * 0.999) - 1)
    assert_equal :equivalent, decide(WIDE, margin: 0.05, precision: 0.05)
  end

  test "until it is precise nothing else decides, but at the last look" do
    far = WIDE.map { |d| 0.3 + d }
    half = Math.exp(Sequential.new.half_width(WIDE)) - 1
    decided = [half * 1.001, half * 0.999].map do |precision|
      decide(far, precision:, until_precise: true)
    end

    assert_equal %i[differs continue], decided
    assert_equal :continue, decide([0.5, 0.51, 0.49], precision: 0.01, until_precise: true)
    assert_equal :precise, decide(WIDE, margin: nil, precision: half, until_precise: true)
    assert_equal :differs, decide((far * 4).first(30), precision: 1e-6, until_precise: true)
  end

  test "says nothing between looks, whatever it has seen" do
    assert_equal :continue, decide([0.5] * 7)
    assert_equal :differs, decide([0.5] * 8)
    assert_equal :continue, decide([0.0] * 9, precision: 0.5)
  end

  test "is exhausted at the last look, not before, and stays so" do
    undecided = [0.01, -0.01] * 20
    options = { margin: 0.001 }
    answers = (1..40).map { |count| decide(undecided.first(count), **options) }
    assert_equal [:continue] * 29, answers.first(29)
    assert_equal [:exhausted] * 11, answers.last(11)
    assert_equal :differs, decide(([0.1, 0.2] * 20).first(30))
  end

  # More cohorts make the bias no smaller.
  test "is exhausted where the bias covers all that chance leaves open, and forbids equality" do
    lead = WIDE.map { |d| 0.03 + (d / 10) }
    bias = Mohs::Stats::Bias.new(below: 0.06, above: 0.0)
    decision = Sequential::Decision.new(Sequential.new, margin: 0.01)

    assert_equal :exhausted, decision.call(lead, bias:)
    assert_equal :differs, decision.call(lead.map { |d| d + 0.06 }, bias:)
    assert_equal :differs, decision.call(lead.map { |d| -d }, bias:), "behind what it may fall to"
    assert_equal :continue, decision.call(WIDE.map { |d| 0.03 + (d * 10) }, bias:)
    # With 3 % it is equal within 5 % whatever the truth is: 3 - 7 to 3 %.
    wide = Mohs::Stats::Bias.new(below: 0.07, above: 0.0)
    within = Sequential::Decision.new(Sequential.new, margin: 0.05)
    assert_equal :continue, within.call(WIDE.map { |d| 0.03 + d }, bias: wide)
    assert_equal :equivalent, within.call(lead, bias: wide)
  end

  # It used to go on until the last look: five minutes of each night.
  test "where the bias is most of the interval no more cohorts make it precise" do
    lead = WIDE.map { |d| 0.03 + (d / 10) }
    bias = Mohs::Stats::Bias.of(0.03)
    decision = Sequential::Decision.new(Sequential.new, margin: 0.01, precision: 0.01,
                                                        until_precise: true)
    assert_equal :exhausted, decision.call(lead, bias:)
    assert_equal :continue, decision.call(WIDE.map { |d| 0.03 + (d * 4) }, bias:)
    assert_equal :continue, decision.call(lead.first(3), bias:), "the bias is a mean, too"
    assert_equal :differs, decision.call(lead.map { |d| d + 0.06 }, bias:)
  end

  # 3 % with a server that may get three times as fast: the sign is nearly sure, the size never.
  test "where a difference ends it, too, a large bias does not end it before one is found" do
    bias = Mohs::Stats::Bias.new(below: 0.0, above: 1.0)
    [0.01, nil].each do |margin|
      decision = Sequential::Decision.new(Sequential.new, margin:, precision: 0.01)
      assert_equal :continue, decision.call(WIDE.map { |d| 0.03 + (d * 4) }, bias:)
      assert_equal :differs, decision.call(WIDE.map { |d| 0.03 + d }, bias:)
      assert_equal :exhausted, decision.call(WIDE.map { |d| d - 0.03 }, bias:)
    end
  end

  test "a decision at the last look is one" do
    last = ([0.01, -0.01] * 15).map { |d| d / 10 }
    assert_equal :equivalent, decide(last)
  end

  test "other looks" do
    sequential = Sequential.new(looks: [2, 4], levels: ComputedLevels)
    decision = Sequential::Decision.new(sequential, margin: 0.01)
    assert_equal(%i[continue differs continue exhausted exhausted],
                 [[0.1], [0.1, 0.1], [0.1, 0.1, 0.1], [0.1, -0.1, 0.1, -0.1], [0.1] * 5]
                   .map { |differences| decision.call(differences) })
  end
end
