# frozen_string_literal: true

require "test_helper"

class StatsSequentialTest < Mohs::TestCase
  Sequential = Mohs::Stats::Sequential
  StudentT = Mohs::Stats::StudentT

  def setup
    @sequential = Sequential.new
    @noise = Noise.new(4)
    @random = Random.new(4)
  end

  def differences(count, mean: 0.0, sd: 0.01) = Array.new(count) { mean + (sd * @noise.normal) }

  test "the method's table of bounds" do
    # Printed with two decimals, for a nominal level rounded to .008.
    { 3 => 6.43, 4 => 3.17, 5 => 2.20, 6 => 1.74, 8 => 1.30, 10 => 1.07, 12 => 0.93, 15 => 0.80,
      20 => 0.66, 25 => 0.58, 30 => 0.52 }.each do |n, f|
      assert_in_delta f, @sequential.bound(n), 0.02, n
    end
    assert_in_delta StudentT.upper_quantile(0.004, 6) / Math.sqrt(7), @sequential.bound(7), 1e-9
  end

  test "looks" do
    assert_equal [3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30], @sequential.looks
    assert_equal [false, true, false, true], [2, 3, 7, 30].map { |n| @sequential.look?(n) }
    assert_equal [3, 4, 8, 30, nil, nil], [0, 3, 6, 29, 30, 31].map { |n| @sequential.next_look(n) }
  end

  test "an interval reaches f(n) sds to either side" do
    values = differences(10, mean: 0.02)
    interval = @sequential.interval(values)
    mean = Mohs::Stats::Center.mean(values)
    half = @sequential.bound(10) * Mohs::Stats::Spread.sd(values)
    assert_equal 10, interval.count
    [mean, mean - half, mean + half].zip([interval.value, interval.low, interval.high])
                                    .each { |wanted, got| assert_in_delta wanted, got, 1e-15 }
    assert_in_delta half, @sequential.half_width(values), 1e-15
  end

  test "it is Student's interval at the nominal level" do
    values = differences(6)
    student = Mohs::Stats::Interval.of(values, level: 1 - @sequential.nominal)
    assert_in_delta student.low, @sequential.interval(values).low, 1e-12
    assert_in_delta student.high, @sequential.interval(values).high, 1e-12
  end

  test "before the first look nothing is sure" do
    assert_equal [nil, nil, 0], @sequential.interval([]).then { |i| [i.value, i.low, i.count] }
    two = @sequential.interval([0.5, 0.7])
    assert_in_delta 0.6, two.value, 1e-12
    assert_equal [nil, nil, 2], [two.low, two.high, two.count]
    assert_nil @sequential.half_width([0.5, 0.7])
    refute @sequential.differs?([0.5, 0.5])
    refute @sequential.equivalent?([0.0, 0.0], margin: 0.5)
  end

  test "between looks, and after the last, the last look counts" do
    values = differences(40, mean: 0.1)
    { 7 => 6, 9 => 8, 29 => 25, 31 => 30, 40 => 30 }.each do |count, look|
      assert_equal @sequential.interval(values.first(look)),
                   @sequential.interval(values.first(count))
    end
    # A seventh that would overthrow everything waits for the eighth.
    six = [0.100, 0.101, 0.099, 0.100, 0.101, 0.099]
    assert @sequential.differs?(six)
    assert @sequential.differs?([*six, -5.0])
    refute @sequential.differs?([*six, -5.0, 0.1])
  end

  test "differs exactly where its interval excludes 0" do
    found = 300.times.count do
      values = differences(5, mean: 0.02)
      interval = @sequential.interval(values)
      differs = @sequential.differs?(values)
      assert_equal !0.0.between?(interval.low, interval.high), differs
      differs
    end
    assert_includes 30..270, found
  end

  test "the unit does not matter, nor the order, nor which of the two is called A" do
    values = differences(8, mean: 0.012)
    half = @sequential.half_width(values)
    assert_in_delta 7 * half, @sequential.half_width(values.map { |d| 7 * d }), 1e-12
    assert_in_delta half, @sequential.half_width(values.map(&:-@)), 1e-15
    assert_in_delta half, @sequential.half_width(values.sort), 1e-15
    assert_equal @sequential.differs?(values), @sequential.differs?(values.map(&:-@))
  end

  test "equivalent by two one-sided tests, each wrong with 5 % over all looks" do
    spread = [0.001, -0.001, 0.002, -0.002, 0.0]
    reach = StudentT.upper_quantile(0.009, 4) * Mohs::Stats::Spread.sd(spread) / Math.sqrt(5)
    assert @sequential.equivalent?(spread, margin: Math.exp(reach * 1.001) - 1)
    refute @sequential.equivalent?(spread, margin: Math.exp(reach * 0.999) - 1)
    shifted = spread.map { |d| d + 0.004 }
    assert @sequential.equivalent?(shifted, margin: Math.exp((reach + 0.004) * 1.001) - 1)
    refute @sequential.equivalent?(shifted, margin: Math.exp((reach + 0.004) * 0.999) - 1)
    assert_equal [true, true], [shifted, shifted.map(&:-@)].map { |list|
      @sequential.equivalent?(list, margin: 0.02)
    }
  end

  test "cohorts that agree to the bit" do
    assert @sequential.differs?([0.1, 0.1, 0.1])
    refute @sequential.differs?([0.0, 0.0, 0.0])
    assert @sequential.equivalent?([0.0, 0.0, 0.0], margin: 0.001)
  end

  test "several comparisons are held to a stricter level" do
    widths = [1, 2, 3, 5, 23].map { |count| Sequential.new(comparisons: count).bound(5) }
    assert_equal widths.uniq.sort, widths
    assert_equal Sequential.new(alpha: 0.025).nominal, Sequential.new(comparisons: 2).nominal
    few, many = [1, 23].map { |count| Sequential.new(comparisons: count) }
    values = [0.0025, -0.0025, 0.0015, -0.0015, 0.0]
    assert few.equivalent?(values, margin: 0.005)
    refute many.equivalent?(values, margin: 0.005)
  end

  test "looks of another's choice" do
    twice = Sequential.new(looks: [4, 8], levels: ComputedLevels)
    assert_in_delta 0.0276, twice.nominal, 0.0001 # .0294 for a known sd (Pocock 1977)
    assert_equal [4, 8, nil], [1, 4, 8].map { |n| twice.next_look(n) }
    assert_operator twice.bound(4), :<, @sequential.bound(4)
  end

  test "nothing in it changes" do
    assert_predicate @sequential, :frozen?
    values = differences(9).freeze
    assert_equal @sequential.interval(values), @sequential.interval(values)
  end

  test "the interval of the test of equivalence is narrower, and within the margin if it holds" do
    values = differences(10, sd: 0.005)
    tested, whole = @sequential.equivalence_interval(values), @sequential.interval(values)
    farthest = [tested.low, tested.high].map(&:abs).max

    assert_operator tested.high - tested.low, :<, whole.high - whole.low
    assert_in_delta whole.value, (tested.low + tested.high) / 2, 1e-15
    [0.999, 1.001].each do |times|
      margin = Math.exp(times * farthest) - 1
      assert_equal times > 1, @sequential.equivalent?(values, margin:)
    end
    assert_nil @sequential.equivalence_interval(values.first(2)).low
  end

  test "what something else ends is looked at where it ended, at the same level" do
    ended = Sequential.new(ended: 7)

    assert_equal [[3, 4, 5, 6, 7], nil], [ended.looks, ended.next_look(7)]
    assert_equal @sequential.nominal, ended.nominal
    values = differences(7)
    assert_equal [6, 7], [@sequential, ended].map { |one| one.interval(values).count }
    assert_in_delta @sequential.bound(7) * Mohs::Stats::Spread.sd(values),
                    ended.half_width(values), 1e-12
    assert_equal Sequential::LOOKS, Sequential.new(ended: 30).looks
  end

  # Equal things, by an end that does not depend on them.
  test "a look at the end is wrong no more often than the one that would have come next" do
    { 7 => 4000, 11 => 3000, 29 => 1500 }.each do |last, tries|
      sequential = Sequential.new(ended: last)
      wrong = tries.times.count do
        values = differences(last)
        sequential.looks.any? { |look| sequential.differs?(values.first(look)) }
      end
      assert_operator wrong.fdiv(tries), :<=, 0.05, last
    end
  end

  # On hosts of all kinds, each with the spread that its first cohorts had: does another comparison
  # of that length find such a difference?
  test "the look that is named finds the difference in about four tries of five" do
    [4, 8].each do |known|
      found = Array.new(500) do
        sd = 0.003 * ((0.012 / 0.003)**@random.rand)
        seen = Mohs::Stats::Spread.sd(differences(known, sd:))
        look = @sequential.deciding(0, sd: seen, delta: 0.01, known:) or next
        values = differences(look, mean: 0.01, sd:)
        Sequential::LOOKS.any? { |n| n <= look && @sequential.differs?(values.first(n)) }
      end.compact

      assert_operator found.size, :>, 350
      assert_includes 0.75..0.9, found.count(true).fdiv(found.size), known
    end
  end

  test "the look that decides a difference is the first with a chance of four in five" do
    sd, delta = 0.01, 0.02
    look = @sequential.deciding(0, sd:, delta:, known: 1000)
    chances = Sequential::LOOKS.to_h do |n|
      found = Array.new(2000) do
        values = differences(n, mean: delta, sd:)
        Mohs::Stats::Center.mean(values) > @sequential.bound(n) * Mohs::Stats::Spread.sd(values)
      end
      [n, found.count(true) / 2000.0]
    end

    before = Sequential::LOOKS[Sequential::LOOKS.index(look) - 1]
    assert_operator chances[look], :>, 0.75
    assert_operator chances[before], :<, 0.85
    assert_operator @sequential.deciding(look, sd:, delta:, known: 1000), :>, look
    assert_operator @sequential.deciding(0, sd:, delta:, known: 3), :>, look, "hardly known"
    assert_nil @sequential.deciding(0, sd:, delta: delta / 10, known: 1000)
  end
end
