# frozen_string_literal: true

require "test_helper"

class TuneRaceRoundsTest < Mohs::TestCase
  SPEEDS = { "yours" => 1000.0, "1x1" => 500.0, "2x3" => 2000.0 }.freeze

  # Rounds without noise; the block may change the cohorts.
  def race_rounds(rounds: 3)
    cohorts = SampleTuning.new(SPEEDS, rounds:, boot_sd: 0.0).to_h
    yield cohorts[:cohorts] if block_given?
    Mohs::Tune::RaceRounds.new(Mohs::Stored.run(cohorts).cohorts)
  end

  test "each round has the logarithms relative to the common setting, and who was to be measured" do
    values, planned = race_rounds.rounds.last

    assert_equal SPEEDS.keys, planned
    assert_in_delta 0.0, values["yours"], 1e-12
    assert_in_delta Math.log(2), values["2x3"], 0.02
  end

  test "rates are those that were served" do
    found = race_rounds

    SPEEDS.each { |name, rate| assert_in_delta rate, found.typical(name), 0.02 * rate }
    assert_equal [3, nil], [found.rates.size, found.typical("4x4")]
  end

  test "a lead is that of a typical round, whatever one boot did" do
    [3, 2].each do |rounds|
      found = race_rounds(rounds:) do |cohorts|
        slow = cohorts[1][:trials].find { |trial| trial[:variant] == "2x3" }
        slow[:slices].each { |slice| slice[:wall_ns] *= 2 }
      end

      assert_in_delta Math.log(2), found.lead("yours", "2x3"), 0.02
      assert_in_delta Math.log(4), found.lead("1x1", "2x3"), 0.02
      assert_nil found.lead("yours", "4x4")
    end
  end

  test "the ends on boots have the drift of the rate beside them" do
    found = race_rounds(rounds: 1) do |cohorts|
      slower = Marshal.load(Marshal.dump(cohorts.first))
      slower[:spec][:variants] = %w[yours 1x1]
      slower[:trials].reject! { |trial| trial[:variant] == "2x3" }
      slower[:trials].flat_map { |trial| trial[:slices] }.each { |slice| slice[:wall_ns] *= 2 }
      cohorts.first[:trials].reject! { |trial| trial[:variant] == "1x1" }
      cohorts.first[:spec][:variants] = %w[yours 2x3]
      cohorts << { **slower, position: 1 }
    end
    rates = found.rates.first

    SPEEDS.each_key do |name|
      assert_includes Range.new(*found.ends_on_boots_per_s(name, rates[name])), rates[name], name
    end
    assert_in_delta 2000 / Math.sqrt(2), rates["2x3"], 40
    assert_nil found.ends_on_boots_per_s("4x4", 1.0)
  end

  test "without the common setting in one cohort they are told as they are" do
    found = race_rounds { |cohorts| cohorts.first[:trials].shift }

    assert_in_delta Math.log(500), found.rounds.first.first["1x1"], 0.05
    assert_in_delta 500, found.rates.first["1x1"], 10
  end

  test "an opening belongs to its round once the rest is measured, and before that is begun" do
    opening = { opening: %w[yours 2x3] }
    begun, one = [0, 1].map do |rounds|
      made = SampleTuning.new(SPEEDS, rounds:, boot_sd: 0.0, **opening)
      Mohs::Tune::RaceRounds.new(made.run.cohorts)
    end

    assert_equal [0, 3], [begun.rounds.size, begun.begun.size]
    assert_in_delta 2000, begun.begun.last["2x3"], 40
    assert_equal [1, 2], [one.rounds.size, one.begun.size]
    assert_equal [3, 2], [begun.ahead, one.ahead], "one server each, and the common one"
    values, planned = one.rounds.first
    assert_equal [SPEEDS.keys.sort] * 2, [values.keys.sort, planned.uniq.sort]
  end

  test "cohorts of a round with different common settings are told as they are" do
    found = race_rounds(rounds: 1) do |cohorts|
      other = Marshal.load(Marshal.dump(cohorts.first))
      other[:spec] = { **other[:spec], baseline: "1x1", variants: %w[1x1 2x3] }
      other[:trials].shift
      cohorts << { **other, position: 1 }
    end

    assert_in_delta Math.log(2000), found.rounds.first.first["2x3"], 0.05
  end

  test "a round that is not done, and what is behind it, does not count" do
    assert_equal 1, race_rounds { |cohorts| cohorts[1][:state] = "running" }.rounds.size
  end
end
