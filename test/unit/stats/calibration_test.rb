# frozen_string_literal: true

require "test_helper"

# The proof that verdicts are as sure as they say, on made-up cohorts of a hostile host: the code
# that compares is driven by noise whose truth is known (method, section 7).
class StatsCalibrationTest < Mohs::TestCase
  Effect = Mohs::Stats::Effect
  Sequential = Mohs::Stats::Sequential
  Run = Struct.new(:outcome, :differences, keyword_init: true)

  METRIC = :throughput_per_s

  # One comparison, from the first cohort to its verdict; the block measures one.
  def compare(sequential, margin: 0.01)
    decision = Sequential::Decision.new(sequential, margin:)
    differences = []
    loop do
      differences << yield
      outcome = decision.call(differences)
      return Run.new(outcome:, differences:) unless outcome == :continue
    end
  end

  def hostile(count, sequential, effect: 0.0, from: 1)
    Array.new(count) do |i|
      host = CohortNoise.new(from + i, effect:)
      compare(sequential) { host.difference }
    end
  end

  def sliced(count, sequential, effect: 0.0)
    Array.new(count) do |i|
      host = CohortNoise.new(50_000 + i, effect:)
      compare(sequential) { Effect.difference(*host.slices, METRIC) }
    end
  end

  # Cohorts of a known spread, without blocks.
  def plain(count, effect:, sd:, seed: 1)
    noise = Noise.new(seed)
    sequential = Sequential.new
    Array.new(count) { compare(sequential) { effect + (sd * noise.normal) } }
  end

  def share(runs, outcome) = runs.count { |run| run.outcome == outcome }.fdiv(runs.size)

  def coverage(runs, sequential, truth)
    runs.count do |run|
      interval = sequential.interval(run.differences)
      truth.between?(interval.low, interval.high)
    end.fdiv(runs.size)
  end

  def mean_cohorts(runs) = runs.sum { |run| run.differences.size }.fdiv(runs.size)

  test "a thing compared with itself differs in 5 % of tries at most" do
    sequential = Sequential.new
    runs = hostile(times(700, 1700), sequential) + sliced(times(100, 300), sequential)
    assert_operator share(runs, :differs), :<=, 0.065
    assert_operator share(runs, :differs), :>=, 0.005 # or it would find nothing at all
    assert_operator coverage(runs, sequential, 0.0), :>=, 0.94
  end

  test "the interval at the stop holds the truth" do
    sequential = Sequential.new
    [0.01, 0.02, 0.05].each do |effect|
      runs = hostile(400, sequential, effect:, from: 3000)
      assert_operator coverage(runs, sequential, effect), :>=, 0.94, effect
    end
    runs = sliced(60, sequential, effect: 0.05)
    assert_operator coverage(runs, sequential, 0.05), :>=, 0.88 # .95 less three of its errors
    assert_operator share(runs, :differs), :>=, 0.9
  end

  test "2 % at a spread of .75 % is found, and soon" do
    runs = plain(1500, effect: Math.log(1.02), sd: 0.0075)
    assert_operator share(runs, :differs), :>=, 0.99
    assert_operator mean_cohorts(runs), :<=, 5.2
  end

  test "stalls cost few cohorts" do
    runs = hostile(400, Sequential.new, effect: 0.02, from: 20_000)
    assert_operator mean_cohorts(runs), :<=, 8 # 17 without trimming
    assert_operator share(runs, :differs), :>=, 0.98
  end

  test "two that differ by the margin are called equal in 5 % of tries at most" do
    [0.003, 0.005, 0.0075].each do |sd|
      runs = plain(800, effect: Math.log(1.01), sd:, seed: 5)
      assert_operator share(runs, :equivalent), :<=, 0.06, sd
    end
  end

  test "cohorts to a verdict are what the method's table says" do
    { [0.0, 0.003] => 3.9, [0.01, 0.003] => 4.2, [0.0, 0.0075] => 8.6, [0.02, 0.01] => 5.7,
      [0.05, 0.02] => 4.9 }.each do |(effect, sd), cohorts|
      runs = plain(500, effect: Math.log(1 + effect), sd:, seed: 7)
      assert_in_delta cohorts, mean_cohorts(runs), 0.1 * cohorts, [effect, sd].inspect
    end
  end

  # The proof that this suite would notice: looking as often at the level of a single look.
  test "looks at 5 % each fail this very suite" do
    naive = Sequential.new(alpha: 0.2298, levels: ComputedLevels) # what they add up to
    assert_in_delta 0.05, naive.nominal, 0.0002
    runs = hostile(times(250, 700), naive)
    assert_operator share(runs, :differs), :>, 0.10
    assert_operator coverage(runs, naive, 0.0), :<, 0.90
  end

  test "a false finding is as likely for the one as for the other" do
    runs = plain(times(1500, 4000), effect: 0.0, sd: 0.02, seed: 9)
           .select { |run| run.outcome == :differs }
    above = runs.count { |run| Mohs::Stats::Center.mean(run.differences).positive? }
    assert_in_delta runs.size / 2.0, above, 4 * Math.sqrt(runs.size / 4.0)
  end

  test "swapping the two turns the same verdict round" do
    sequential = Sequential.new
    [0.0, 0.03].each do |effect|
      host = CohortNoise.new(77, effect:)
      cohorts = Array.new(30) { host.slices }
      there, back = [cohorts, cohorts.map(&:reverse)].map { |list| replay(sequential, list) }
      assert_equal there.outcome, back.outcome
      assert_same_interval sequential.interval(there.differences),
                           sequential.interval(back.differences.map(&:-@))
    end
  end

  test "a machine twice as fast in all gives the same verdict" do
    sequential = Sequential.new
    cohorts = CohortNoise.new(78, effect: 0.03).then { |host| Array.new(30) { host.slices } }
    double = cohorts.map do |pair|
      pair.map { |slices| slices.map { |slice| slice.merge(good: 2 * slice[:good]) } }
    end
    there, twice = [cohorts, double].map { |list| replay(sequential, list) }
    assert_equal there.outcome, twice.outcome
    assert_same_interval sequential.interval(there.differences),
                         sequential.interval(twice.differences)
  end

  test "one that answers nothing gives no difference, not a ratio" do
    a, b = CohortNoise.new(79).slices
    idle = b.map { |slice| slice.merge(good: 0) }
    assert_nil Effect.difference(a, idle, METRIC)
  end

  test "the noise is what it says" do
    differences = Array.new(400) { |i| CohortNoise.new(9000 + i).difference }
    by_slices = Array.new(400) do |i|
      Effect.difference(*CohortNoise.new(9000 + i).slices, METRIC)
    end
    [differences, by_slices].each do |list|
      assert_in_delta 0, Mohs::Stats::Center.mean(list), 0.004
      assert_includes 0.005..0.03, Mohs::Stats::Spread.sd(list)
    end
  end

  def replay(sequential, cohorts)
    cohorts = cohorts.each
    compare(sequential) { Effect.difference(*cohorts.next, METRIC) }
  end

  def assert_same_interval(expected, actual)
    assert_equal expected.count, actual.count
    [expected, actual].map { |one| [one.value, one.low, one.high].sort }.transpose
                      .each { |one, other| assert_in_delta one, other, 1e-9 }
  end
end
