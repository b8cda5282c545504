# frozen_string_literal: true

require "test_helper"

class StatsContrastsTest < Mohs::TestCase
  include Mohs::Stats

  ALPHA = 0.05
  ROUNDS = 3

  def many = times(250, 600)

  # The worst share of runs that is 5 % but for chance: three standard errors.
  def worst = ALPHA + (3 * Math.sqrt(ALPHA * (1 - ALPHA) / many))

  # The spread of each variant, by its index; 0 is the baseline.
  ALIKE = ->(_) { 1.0 }
  UNEQUAL = {
    "one varies four times as much" => ->(index) { index == 1 ? 4.0 : 1.0 },
    "half of them vary twice as much" => ->(index) { index.odd? ? 2.0 : 1.0 },
    "the baseline varies twice as much" => ->(index) { index.zero? ? 2.0 : 1.0 },
  }.freeze

  # The cohorts of a run as Rounds::Draw draws them: four candidates at most in each, beside the
  # baseline.
  def cohorts(candidates, sds, random, noise)
    Array.new(ROUNDS) do
      parts = (candidates / 4.0).ceil
      groups = (1..candidates).to_a.shuffle(random:).each_with_index
                              .group_by { |_, place| place % parts }.values
      groups.map do |group|
        [0, *group.map(&:first)].to_h { |index| [index, sds.call(index) * noise.normal] }
      end
    end
  end

  def contrasts(rounds)
    numbered = rounds.each_with_index.flat_map { |round, index| round.map { |one| [one, index] } }
    Contrasts.new(numbered.map(&:first), rounds: numbered.map(&:last), baseline: 0)
  end

  test "differences of pairs are compared within each round, with a spread of their own" do
    found = contrasts([[{ 0 => 0.0, 1 => 1.0, 2 => 3.0, 3 => 7.0 }],
                       [{ 0 => 0.0, 1 => 1.0, 2 => 2.5 }, { 0 => 1.0, 3 => 7.5 }],
                       [{ 0 => 0.0, 1 => 1.0, 2 => 3.0 }]])
    effect = found.between_pairs([1, 0], [3, 2])

    # 3 in the first round; 4 - 1 in the second by its baselines; 3 is not in the third.
    assert_equal 2, effect.count
    assert_in_delta 3.0, effect.value
    assert_in_delta 0.0, effect.error
  end

  # Runs of variants that are all the same.
  def simulate(candidates, sds, runs: many, seed: 1)
    random = Random.new(seed)
    noise = Noise.new(seed)
    Array.new(runs) { yield contrasts(cohorts(candidates, sds, random, noise)) }
  end

  def critical
    @critical ||= Hash.new do |known, (tail, df)|
      known[[tail, df]] = StudentT.upper_quantile(tail, df)
    end
  end

  # Is a difference found, each candidate at its share of ALPHA? p is computed only where the normal
  # distribution, of lighter tails than any t, would find one.
  def differs?(effect, share)
    @normal ||= Hash.new { |known, one| known[one] = Normal.quantile(1 - (one / 2)) }
    effect.value.abs > @normal[share] * effect.error && effect.p < share
  end

  # The block gives the effect of a candidate.
  def false_runs(candidates, sds, runs: many)
    share = ALPHA / candidates
    found = simulate(candidates, sds, runs:) do |model|
      (1..candidates).any? { |index| differs?(yield(model, index, share), share) }
    end
    found.count(true).fdiv(runs)
  end

  def called_different(candidates, sds)
    false_runs(candidates, sds) { |model, index, alpha| model.between(0, index, alpha:) }
  end

  [4, 8, 15].each do |candidates|
    test "of #{candidates} equal ones some is called different in 5 % of runs at most" do
      assert_operator called_different(candidates, ALIKE), :<=, worst
    end

    UNEQUAL.each do |what, sds|
      test "of #{candidates} equal ones, where #{what}, too" do
        assert_operator called_different(candidates, sds), :<=, worst
      end
    end
  end

  # Method, section 10: half widths of 1.9, 1.8 and 1.8 sd of a difference, where separate ones have
  # 5.1, 7.3 and 10.
  { 4 => [2.0, 5.1], 8 => [1.8, 7.3], 15 => [1.8, 10] }.each do |candidates, (most, separate)|
    test "three rounds of #{candidates} candidates tell what separate spreads would not" do
      share = ALPHA / candidates
      halves = simulate(candidates, ALIKE, runs: 200) do |model|
        model.between(0, 1, alpha: share).half_width(share) / Math.sqrt(2)
      end
      assert_operator Center.median(halves), :<=, most
      alone = critical[[share / 2, ROUNDS - 1]] / Math.sqrt(ROUNDS)
      assert_in_delta separate, alone, 0.1
    end
  end

  # The proof that this suite would notice.
  test "pooled without a look at the spreads, one that varies more is called different" do
    runs = 200
    found = false_runs(15, UNEQUAL.values.first, runs:) do |model, index|
      model.send(:pooled, 0, index, ROUNDS)
    end
    assert_operator found, :>, ALPHA + (3 * Math.sqrt(ALPHA * (1 - ALPHA) / runs))
  end

  # The smallest p after each round, from the third to the eighth; 1 where it is no finding at any
  # level here.
  def smallest(candidates, noise)
    rounds = Array.new(8) { (0..candidates).to_h { |index| [index, noise.normal] } }
    (ROUNDS..8).map do |count|
      model = fixed(*rounds.first(count))
      share = ALPHA / candidates
      effects = (1..candidates).map { |index| model.between(0, index, alpha: share) }
      effects.map { |effect| differs?(effect, share) ? effect.p : 1.0 }.min
    end
  end

  # One who looks after each round, and stops when one is called different, or at the eighth.
  def stopped?(smallest, candidates, early)
    smallest[0...-1].any? { |p| p < early / candidates } || smallest.last < ALPHA / candidates
  end

  [1, 4].each do |candidates|
    test "who looks at #{candidates} while they are measured is wrong hardly more often" do
      noise = Noise.new(8)
      early = Sequential::Levels.two_sided(0.2 * ALPHA, Sequential::LOOKS)

      runs = 300
      most = runs * (ALPHA + (3 * Math.sqrt(ALPHA * (1 - ALPHA) / runs)))
      seen = Array.new(runs) { smallest(candidates, noise) }
      assert_operator seen.count { |one| stopped?(one, candidates, early) }, :<=, most
      assert_operator seen.count { |one| stopped?(one, candidates, ALPHA) }, :>, most
    end
  end

  def fixed(*rounds) = contrasts(rounds.map { |round| [round] })

  # In the layout of a JVM: with the baseline alone, after the cohort of the others.
  test "one that stood beside the baseline alone is judged by its own rounds" do
    random, noise = Random.new(3), Noise.new(3)
    sds = [1.0, 1.0, 1.0, 1.0, 1.0, 3.0]
    wrong = Array.new(many) do
      rounds = Array.new(ROUNDS) do
        [(0..4), [0, 5]].map { |names| names.to_h { |one| [one, sds[one] * noise.normal] } }
                        .shuffle(random:)
      end
      model = contrasts(rounds)
      (1..5).any? { |one| differs?(model.between(0, one, alpha: ALPHA / 5), ALPHA / 5) }
    end

    assert_operator wrong.count(true).fdiv(many), :<=, worst
    rounds = Array.new(ROUNDS) { |one| [{ 0 => 0.0, 1 => 0.1 * one, 2 => 0.2, 3 => 0.4 }] }
    alone = rounds.map.with_index { |round, one| [*round, { 0 => 0.0, 5 => 1.0 + one }] }
    effects = [rounds, alone].map { |all| contrasts(all).between(0, 1, alpha: ALPHA) }
    assert_equal effects.first.half_width(ALPHA), effects.last.half_width(ALPHA)
    assert_equal 2, contrasts(alone).between(0, 5, alpha: ALPHA).df
  end

  test "pooled is what the two-way model says" do
    random = Noise.new(3)
    rounds = Array.new(4) { (0..4).to_h { |index| [index, random.normal] } }
    model = TwoWay.new(rounds)
    found = fixed(*rounds)
    effect = found.between(0, 3, alpha: 0.05)

    assert_predicate found, :pooled?
    assert_equal [12, 12, 4], [found.df, effect.df, effect.count]
    assert_in_delta model.value(0, 3), effect.value, 1e-12
    assert_in_delta model.error(0, 3), effect.error, 1e-12
  end

  test "three variants have their own spreads, and so have those that differ in theirs" do
    random = Noise.new(4)
    rounds = ->(sds) { Array.new(5) { sds.each_index.to_h { |i| [i, sds[i] * random.normal] } } }
    three = rounds.call([1, 1, 1])
    found = fixed(*three)

    refute_predicate found, :pooled?
    assert_equal Effect.of(three.map { |round| round[2] - round[0] }),
                 found.between(0, 2, alpha: 0.05)
    unequal = fixed(*rounds.call([1, 1, 1, 1, 90, 1, 1]))
    refute_predicate unequal, :pooled?
    assert_operator unequal.bartlett, :<, Contrasts::ALIKE
    assert_equal [4, []], [unequal.between(0, 1, alpha: 0.05).df, unequal.apart]
  end

  test "one that stands out has a variance of its own, the others the pooled one" do
    rounds = [[0.2, 0.0, 0.3, -0.2, 0.5], [-0.1, 0.3, 0.0, 0.1, -0.4], [0.0, -0.2, 0.1, 0.2, 0.1]]
    found = fixed(*rounds.map { |values| values.each_with_index.to_h { |one, i| [i, one] } })

    assert_equal [true, [4]], [found.pooled?, found.apart]
    own, pooled = [4, 3].map { |index| found.between(0, index, alpha: 0.0125) }
    assert_equal found.df, pooled.df
    assert_operator own.half_width(0.0125), :>, 1.5 * pooled.half_width(0.0125)
    assert_in_delta Center.mean(rounds.map { |values| values[4] - values[0] }), own.value, 1e-12
    assert_includes 2.0..5.0, own.df # mostly its own two
  end

  test "what was in no cohort together, nor linked in a round, has no difference" do
    pairs = [[0, 1], [2, 3], [1, 2]].map { |one, other| [{ one => 0.0, other => 1.0 }] }
    found = contrasts(pairs)

    assert_equal [0, nil], found.between(0, 3, alpha: 0.05).to_h.values_at(:count, :value)
    linked = contrasts(Array.new(3) { [{ 0 => 0.0, 1 => 1.0 }, { 0 => 0.5, 2 => 2.5 }] })
    assert_in_delta 1.0, linked.between(1, 2, alpha: 0.05).value, 1e-12
    assert_equal 3, linked.between(1, 2, alpha: 0.05).count
  end

  test "spreads of nothing at all are alike, and nothing stands out of them" do
    found = fixed(*Array.new(3) { (0..3).to_h { |index| [index, index * 0.1] } })

    assert_equal [true, []], [found.pooled?, found.apart]
    assert_in_delta 0.0, found.between(0, 3, alpha: 0.05).p, 1e-12
  end
end
