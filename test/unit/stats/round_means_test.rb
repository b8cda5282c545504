# frozen_string_literal: true

require "test_helper"

class RoundMeansTest < Mohs::TestCase
  RoundMeans = Mohs::Stats::RoundMeans
  ROUNDS = [{ "a" => 1.0, "b" => 5.2, "c" => 9.1 }, { "a" => 1.2, "b" => 5.0, "c" => 9.3 },
            { "a" => 1.1, "b" => 5.1, "c" => 8.9 }].freeze

  def own(name, level: 0.95)
    Mohs::Stats::Interval.of(ROUNDS.map { |round| round[name] }, level:)
  end

  test "means stay, and intervals have the degrees of freedom of all" do
    found = RoundMeans.new(ROUNDS)

    ROUNDS.first.each_key do |name|
      assert_in_delta own(name).value, found.interval(name).value, 1e-12
      assert_operator width(found.interval(name)), :<, width(own(name)), name
    end
    assert_operator width(found.interval("a", level: 0.99)), :>, width(found.interval("a"))
  end

  # a: 0.01 of its own; all: rounds' means 5.1, 5.1667, 5.0333, so MSrounds 0.00444 / 3; residuals.
  test "the common variance counts as much as the variant's own" do
    values = %w[a b c].to_h { |name| [name, ROUNDS.map { |round| round[name] }] }
    grand = values.values.flatten.sum / 9
    round_means = ROUNDS.map { |round| round.values.sum / 3 }
    residuals = ROUNDS.each_with_index.flat_map do |round, index|
      round.map { |name, value| value - round_means[index] - (values[name].sum / 3) + grand }
    end
    common = (Mohs::Stats::Spread.variance(round_means)) +
             (residuals.sum { |one| one**2 } / 4 * 2 / 3)
    half = Mohs::Stats::StudentT.upper_quantile(0.025, 4) * Math.sqrt((common + 0.01) / 2 / 3)

    assert_in_delta 2 * half, width(RoundMeans.new(ROUNDS).interval("a")), 1e-9
  end

  test "of two variants, two rounds, or one that is missing in a round each has its own values" do
    two = RoundMeans.new(ROUNDS.map { |round| round.slice("a", "b") }).interval("a")
    assert_equal own("a"), two
    assert_nil RoundMeans.new(ROUNDS.first(2)).interval("a").low

    missing = [ROUNDS[0], ROUNDS[1], ROUNDS[2].except("c")]
    assert_equal own("a"), RoundMeans.new(missing).interval("a")
    assert_equal [2, nil], RoundMeans.new(missing).interval("c").to_h.values_at(:count, :low)
  end

  test "values that do not vary have an interval without width" do
    same = Array.new(3) { { "a" => 1.0, "b" => 2.0, "c" => 3.0 } }
    assert_equal [1.0, 1.0], RoundMeans.new(same).interval("a").to_h.values_at(:low, :high)
  end

  test "one that varies more than the others is not taken for one of them" do
    rounds = [[0.0, 1.0, 2.0, -3.0], [0.1, 1.1, 2.1, 3.0], [-0.1, 0.9, 2.0, 0.5]].map do |values|
      %w[a b c d].zip(values).to_h
    end
    wide, narrow = %w[d a].map { |name| width(RoundMeans.new(rounds).interval(name)) }

    assert_operator wide, :>, 1.3 * narrow
  end

  test "joint intervals hold about as often as they say" do
    noise = Noise.new(3)
    held = Array.new(400) do
      rounds = Array.new(3) do
        round = noise.normal
        %w[a b c d e].to_h { |name| [name, round + noise.normal] }
      end
      means = RoundMeans.new(rounds)
      %w[a b c d e].all? do |name|
        found = means.interval(name, level: 0.99)
        found.low <= 0 && found.high >= 0
      end
    end

    assert_operator held.count(true), :>=, 376 # 94 %
  end

  private

  def width(interval) = interval.high - interval.low
end
