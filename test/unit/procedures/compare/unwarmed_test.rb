# frozen_string_literal: true

require "test_helper"

# What a server may still gain that was measured before its JIT was done.
class ComparisonUnwarmedTest < Mohs::TestCase
  LEAD = [0.031, 0.03, 0.029].freeze
  EVEN = [0.0002, 0.0, -0.0002].freeze

  # rises: { variant => by which share its rate may still rise }. jits: variants that get a JIT of
  # their own.
  def comparison(differences, rises, jits: [])
    warm = lambda do |trial, name, _|
      trial[:attested] = { **trial[:attested].to_h, jit: name } if jits.include?(name)
      trial[:facts][:warm_up] = { outcome: "warm", requests: 300, may_rise: rises.fetch(name, 0.0) }
    end
    Mohs::Stored.comparison(CompareResult.new(differences, trial: warm).to_h)
  end

  test "a server that its JIT may still make faster is neither equal nor slower" do
    behind = LEAD.map(&:-@)

    assert_equal %i[equivalent continue], [{}, { "b" => 0.06 }].map { comparison(EVEN, _1).decided }
    assert_equal %i[differs continue], [{}, { "b" => 1.0 }].map { comparison(behind, _1).decided }
  end

  test "what it leads by already is no less for that, but of the other's lead it may be" do
    rises = [{ "b" => 1.0 }, { "a" => 0.02 }, { "a" => 0.06 }]

    assert_equal(%i[differs differs continue], rises.map { comparison(LEAD, _1).decided })
  end

  test "two of the same kind are compared as they are" do
    assert_equal :equivalent, comparison(EVEN, { "a" => 1.0, "b" => 1.0 }).decided
  end

  # No host is too noisy for it.
  test "a margin that more cohorts may never decide is told as such" do
    biases = [0.06, 0.005].map do |rise|
      result = comparison([0.0, -0.05, -0.01, -0.02], { "b" => rise })
      Mohs::Compare::Forecast.new(result).finding.values[:bias]
    end

    assert_in_delta 0.06, biases.first, 1e-9
    assert_nil biases.last
  end

  test "a forecast looks at the end that has to leave 0 behind" do
    needed = [{ "b" => 0.06 }, { "a" => 0.06 }].map do |rises|
      result = comparison([-0.021, -0.015, -0.025], rises)
      Mohs::Compare::Forecast.new(result).finding.values[:needed_s]
    end

    assert_nil needed.first, "it may be ahead"
    refute_nil needed.last, "it is behind even if the other gets no faster"
  end

  # In one of two cases like these a budget was proposed that decided nothing.
  test "what is foretold does not depend on the sign of a difference that is next to none" do
    told = [0.0002, -0.0002].map do |mean|
      result = comparison([mean + 0.01, mean - 0.01, mean, mean], { "b" => 0.03 })
      Mohs::Compare::Forecast.new(result).finding.values
    end

    assert_equal told.first, told.last
    assert_nil told.first[:needed_s]
    assert_in_delta 0.03, told.first[:bias], 1e-9
  end

  test "a difference that is larger than the bias has a forecast, whatever the margin" do
    rises = { "a" => 0.07, "b" => 0.07 }
    result = comparison([0.12, 0.08, 0.11, 0.09], rises, jits: %w[a b])
    found = Mohs::Compare::Forecast.new(result).finding.values

    refute_nil found[:needed_s]
    assert_nil found[:bias]
  end

  test "no wider margin is proposed that the bias hides, too" do
    rises = { "a" => 0.02, "b" => 0.02 }
    result = comparison([0.018, 0.0181, 0.0179, 0.018], rises, jits: %w[a b])
    found = Mohs::Compare::Forecast.new(result).finding.values

    assert_in_delta 0.02, found[:bias], 1e-9
    assert_equal [nil, 0.05], found.values_at(:needed_s, :wider)
  end

  test "no budget is proposed where a bias hides the result" do
    found = [0.008, 0.0].map do |rise|
      result = comparison([0.004, 0.005, 0.006, 0.005], { "a" => rise, "b" => rise }, jits: %w[a b])
      Mohs::Compare::Forecast.new(result).finding.values
    end

    assert_equal [[true, false], [false, true]],
                 (found.map { |one| one.values_at(:bias, :needed_s).map { |value| !value.nil? } })
  end

  test "the end of the interval moves out by it, and the user is told" do
    found, plain = [{ "b" => 0.06 }, {}].map { |rises| comparison(LEAD, rises) }
    low, high = [found, plain].map { |one| one.verdict.to_h.values_at(:low, :high) }.transpose

    assert_in_delta low.last, low.first, 1e-9
    assert_in_delta 1.06, high.first / high.last, 1e-9
    warnings = [found, plain].map { |one| one.warnings.select { |each| each.code == "may_rise" } }
    assert_equal [1, 0], warnings.map(&:size)
    assert_equal "B", warnings.first.first.subject
  end
end
