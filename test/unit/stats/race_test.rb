# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/tune/recorded_noise"

class StatsRaceTest < Mohs::TestCase
  Race = Mohs::Stats::Race

  SPEEDS = { "a" => 0.0, "b" => -0.005, "c" => -0.02, "d" => -0.1, "e" => -0.2 }.freeze

  # Of noise by which the five spread alike from the third round on.
  SEED = 5

  def setup
    @noise = Noise.new(SEED)
  end

  def race(names, better: :more, margin: 0.01, **options)
    Race.new(names, better:, margin:, **options)
  end

  # One round of those that are left: what they are, how fast the machine is, and noise.
  def values(race, speeds, sd: 0.004, sign: 1)
    host = 0.1 * @noise.normal
    race.alive.to_h { |name| [name, sign * (speeds.fetch(name) + host + (sd * @noise.normal))] }
  end

  def hold(race, speeds, rounds: 30, **options)
    rounds.times do
      break unless race.state == :continue

      race.add(values(race, speeds, **options))
    end
    race
  end

  # Six rounds of settings that vary by such a step, each in a pattern of its own that cancels.
  def plain(race, speeds, step:)
    patterns = [[0, 1, -1], [1, -1, 0], [-1, 0, 1], [0, -1, 1]]
    6.times do |round|
      break unless race.state == :continue

      race.add(race.alive.each_with_index.to_h do |name, place|
        [name, speeds.fetch(name) + (step * patterns[place][round % 3])]
      end)
    end
    race
  end

  test "who is worse beyond chance is dropped, with the comparison that says so" do
    found = hold(race(SPEEDS.keys), SPEEDS, rounds: 3)
    assert_equal %w[a b], found.alive
    assert_equal "a", found.leader
    assert_equal %w[c d e], found.dropped.keys
    drop = found.dropped["d"]
    assert_equal ["d", 3, "a", 3], [drop.name, drop.round, drop.leader, drop.interval.count]
    assert_includes drop.interval.low..drop.interval.high, 0.1
    assert_operator drop.interval.low, :>, 0
    assert_predicate drop, :frozen?
  end

  test "nobody is dropped before the third round, however slow" do
    found = race(%w[a b])
    2.times { assert_equal :continue, found.add({ "a" => 0.0, "b" => -5.0 }) }
    assert_nil found.lead("b", "a")
    assert_equal :single, found.add({ "a" => 0.0, "b" => -5.0 })
  end

  test "of costs less is better" do
    costs = hold(race(SPEEDS.keys, better: :less), SPEEDS, sign: -1)
    @noise = Noise.new(SEED)
    rates = hold(race(SPEEDS.keys), SPEEDS, sign: 1)
    assert_equal "a", costs.leader
    assert_empty %w[c d e] - costs.dropped.keys
    assert_equal rates.alive, costs.alive
    assert_raises(KeyError) { race(%w[a b], better: :lower) }
  end

  test "what the host does to all of a round changes nothing" do
    rounds = Array.new(5) { values(race(SPEEDS.keys), SPEEDS, sd: 0.03) }
    moved = rounds.each_with_index.map do |round, index|
      round.transform_values { |value| value + (0.3 * (index % 3)) }
    end
    one, other = [rounds, moved].map do |list|
      found = race(SPEEDS.keys)
      list.each do |round|
        found.add(round.slice(*found.alive)) if found.state == :continue
      end
      found
    end
    assert_equal one.dropped.transform_values(&:round), other.dropped.transform_values(&:round)
    assert_in_delta one.lead("b", "a").low, other.lead("b", "a").low, 1e-12
  end

  test "it ends when one is left" do
    found = hold(race(SPEEDS.keys), SPEEDS.merge("b" => -0.03))
    assert_equal :single, found.state
    assert_equal %w[a], found.alive
    assert_raises(ArgumentError) { found.add({ "a" => 0.0 }) }
  end

  test "one setting alone needs one round" do
    assert_equal :single, race(%w[a]).add({ "a" => 0.0 })
  end

  test "it ends when all that are left are shown to be within the margin" do
    speeds = { "a" => 0.0, "b" => -0.001, "c" => -0.3 }
    found = hold(race(speeds.keys), speeds)
    assert_equal :equal, found.state
    assert_equal %w[a b], found.alive
    refute found.lead("b", "a").excludes?(0)
  end

  test "no difference beyond chance is not equality" do
    found = hold(race(%w[a b]), { "a" => 0.0, "b" => 0.0 }, rounds: 29, sd: 0.1)
    assert_equal :continue, found.state
    assert_equal %w[a b], found.alive
    assert_equal :exhausted, hold(found, { "a" => 0.0, "b" => 0.0 }, sd: 0.1).state
    assert_equal 30, found.rounds
    refute found.lead("b", "a").excludes?(0)
  end

  test "one that may be off by the margin is enough to go on" do
    speeds = { "a" => 0.0, "b" => 0.0, "c" => 0.0, "d" => -0.006 }
    found = plain(race(speeds.keys), speeds, step: 0.004)
    assert_equal [:continue, %w[a b c d]], [found.state, found.alive]
    near = plain(race(speeds.keys), speeds.merge("d" => 0.0), step: 0.004)
    assert_equal [:equal, 5], [near.state, near.rounds]
  end

  test "a wider margin is reached sooner" do
    rounds = [0.01, 0.03].map do |margin|
      @noise = Noise.new(4)
      hold(race(%w[a b c d], margin:), SPEEDS.merge("c" => 0.0, "d" => 0.0)).rounds
    end
    assert_operator rounds[1], :<, rounds[0]
  end

  test "two may not differ from a third, and yet from each other" do
    speeds = { "c" => -0.02, "a" => 0.0, "d" => -0.3, "b" => -0.01 }
    found = plain(race(speeds.keys), speeds, step: 0.003)
    assert_equal %w[a b], found.alive
    apart = [%w[c b], %w[b a], %w[c a]].map { |pair| found.lead(*pair).excludes?(0) }
    assert_equal [false, false, true], apart
  end

  test "two that were dropped are compared by the rounds that both had" do
    speeds = { "a" => 0.0, "b" => -0.3, "c" => -0.302 }
    found = hold(race(speeds.keys), speeds, sd: 0.001)
    assert_equal %w[b c], found.dropped.keys
    refute found.lead("b", "c").excludes?(0)
    assert_in_delta(-0.002, found.lead("b", "c").value, 0.002)
    assert_equal 3, found.lead("b", "c").count
  end

  test "who has no value is out with its reason, and not by its numbers" do
    found = hold(race(SPEEDS.keys), SPEEDS, rounds: 2)
    found.add(values(found, SPEEDS).except("a"), out: { "a" => "crashed" })
    assert_equal({ "a" => "crashed" }, found.out)
    assert_equal "b", found.leader
    refute_includes found.dropped, "a"
  end

  test "whose value chance has spoiled stays, and is judged by its other rounds" do
    found = race(SPEEDS.keys)
    assert_equal :continue, found.add(values(found, SPEEDS).except("a"), again: %w[a])
    assert_equal [SPEEDS.keys, {}, "b"], [found.alive, found.out, found.leader]
    hold(found, SPEEDS, rounds: 3)

    assert_equal ["a", {}], [found.leader, found.out]
    assert_equal %w[c d e], found.dropped.keys
    assert_equal 4, found.rounds
  end

  test "who has one round, or shares none with the leader, is not dropped" do
    found = race(%w[a b c d])
    speeds = { "a" => 0.3, "b" => 0.29, "c" => 0.1, "d" => -0.5 }
    2.times { found.add(values(found, speeds).except("d"), again: %w[d]) }
    found.add(values(found, speeds).except("a"), again: %w[a])

    assert_equal [%w[a b d], "a"], [found.alive, found.leader]
    assert_nil found.lead("d", "a").low
  end

  test "a round in which chance has spoiled all values is none" do
    found = race(%w[a b])

    assert_equal :continue, found.add({}, again: %w[a b])
    assert_equal [nil, 0, %w[a b]], [found.leader, found.rounds, found.alive]
  end

  test "who was dropped because of one that is out returns" do
    speeds = { "a" => 0.3, "b" => 0.0, "c" => -0.001, "d" => 0.29 }
    found = hold(race(speeds.keys), speeds, rounds: 3)
    assert_equal %w[b c], found.dropped.keys
    found.add(values(found, speeds).slice("d"), out: { "a" => "out of memory" })
    assert_equal %w[d], found.alive # the others were worse than d too
    assert_equal %w[d d], found.dropped.values.map(&:leader)
    assert_equal :single, found.state
  end

  test "who returns is measured again, also where nobody else is left" do
    speeds = { "a" => 0.3, "b" => 0.0, "c" => -0.012, "d" => 0.295 }
    found = hold(race(speeds.keys), speeds, rounds: 3)
    assert_equal :continue, found.add({}, out: { "a" => "crashed", "d" => "crashed" })
    assert_equal %w[b c], found.alive
    assert_empty found.dropped
    assert_equal 3, found.rounds
    refute found.lead("c", "b").excludes?(0)
    assert_equal :single, hold(found, speeds).state
    assert_equal "b", found.leader
    assert_operator found.rounds, :>, 4
  end

  test "those who return lack a round, and are judged beside one that has it" do
    speeds = { "a" => 0.0165, "b" => 0.007, "c" => 0.0, "d" => -0.001, "e" => -0.002 }
    found = hold(race(speeds.keys), speeds, rounds: 3)
    assert_equal [%w[a b], %w[c d e]], [found.alive, found.dropped.keys]
    found.add({ "b" => 0.014 }, out: { "a" => "crashed" })
    assert_equal [%w[b c d e], "b"], [found.alive, found.leader]
    assert_equal 3, found.lead("c", "b").count
    assert_equal %w[b], hold(found, speeds).alive
    drop = found.dropped["c"]
    assert_equal drop.round - 1, drop.interval.count
  end

  test "nobody may be left" do
    found = race(%w[a b])
    assert_equal :nobody, found.add({}, out: { "a" => 1, "b" => 2 })
    assert_nil found.leader
  end

  test "a round is of all that are left, and of numbers" do
    found = race(%w[a b])
    [{ "a" => 0.0 }, { "a" => 0.0, "b" => 0.0, "c" => 0.0 }, { "a" => 0.0, "c" => 0.0 },
     { "a" => 0.0, "b" => Float::NAN }, { "a" => 0.0, "b" => -Float::INFINITY }].each do |values|
      assert_raises(ArgumentError, values.inspect) { found.add(values) }
    end
    assert_raises(ArgumentError) { found.add({ "a" => 0.0, "b" => 0.0 }, out: { "b" => "why" }) }
    assert_equal 0, found.rounds
  end

  test "the same rounds again are the same race" do
    rounds = []
    first = race(SPEEDS.keys)
    while first.state == :continue
      rounds << values(first, SPEEDS)
      first.add(rounds.last)
    end
    again = race(SPEEDS.keys)
    rounds.each { |round| again.add(round) }
    assert_equal [first.state, first.dropped, first.lead("b", "a")],
                 [again.state, again.dropped, again.lead("b", "a")]
  end

  test "the levels are those of all pairs at all looks" do
    levels = Mohs::Stats::Sequential::Levels
    asked = Class.new do
      attr_reader :alpha

      define_method(:two_sided) { |alpha, looks| @alpha = alpha and levels.two_sided(alpha, looks) }
      define_method(:one_sided) { |alpha, looks| levels.one_sided(alpha, looks) }
    end.new
    race((1..24).to_a, levels: asked)
    assert_in_delta 0.02 / 276, asked.alpha, 1e-12
    assert_equal (3..30).to_a, Race::LOOKS
  end

  # All the same, and at worst one that varies four times as much: how many races dropped any.
  def false_drops(races, settings, wild: 1, levels: Mohs::Stats::Sequential::Levels)
    (1..races).count do |seed|
      found = race([*0...settings], levels:)
      noise = Noise.new(seed)
      12.times do
        break unless found.state == :continue

        found.add(found.alive.to_h { |one| [one, (one.zero? ? wild : 1) * noise.normal] })
      end
      found.dropped.any?
    end
  end

  test "of settings that are all the same few are ever dropped" do
    # 2 % of 150 are 3; more than 9 would be a chance of .001.
    assert_operator false_drops(150, 4), :<=, 9
    assert_operator false_drops(100, 8, wild: 4), :<=, 9
  end

  # The proof that this would notice.
  test "looks at 5 % each drop many" do
    naive = Class.new do
      def self.two_sided(*) = 0.05
      def self.one_sided(*) = 0.025
    end
    assert_operator false_drops(40, 4, levels: naive), :>, 10
  end

  test "recorded noise is that of the sessions, of a standard deviation of 1" do
    sessions = Mohs::TuneBenchmark::RecordedNoise.sessions
    assert_operator sessions.size, :>=, 3
    sessions.each do |session|
      noise = Mohs::TuneBenchmark::RecordedNoise.new(session, random: Random.new(1))
      values = Array.new(300) { noise.series(30) }.flatten
      assert_in_delta 1.0, Mohs::Stats::Spread.sd(values), 0.1, session.name
      assert_in_delta 0.0, Mohs::Stats::Center.mean(values), 0.06, session.name
      known = session.comparisons.flatten.map(&:abs)
      assert_empty values.map(&:abs) - known, session.name
    end
  end
end
