# frozen_string_literal: true

require "test_helper"

class WarmUpCurveTest < Mohs::TestCase
  Curve = Mohs::Trial::WarmUp::Curve

  # Steps as a warm-up serves them: windows that double up to two seconds, in eight steps. The
  # block: the cost of a response in ms after so many seconds. drift, jitter: sd of its logarithm.
  def steps(seconds, drift: 0.0, jitter: 0.0, seed: 1, compilers: nil)
    noise = Noise.new(seed)
    host = Drift.new(noise, drift)
    spent_s = 0.0
    count = 2
    steps = []
    while spent_s < seconds
      8.times do
        ms = yield(spent_s)
        cost = ms * 1e6 * Math.exp(host.after(count * ms / 1e3) + (jitter * noise.normal))
        spent_s += count * cost / 1e9
        spent_ns = (count * cost).round
        compilers_ns = (spent_ns * compilers.call(spent_s)).round if compilers
        steps << Curve::Step.new(good: count, wall_ns: spent_ns, spent_ns:, cost:, compilers_ns:)
      end
      count = [[count * 2, 8].max, (250 / yield(spent_s)).ceil].min
    end
    steps
  end

  def curve(...) = Curve.new(steps(...))

  SETTLING = ->(s) { 1 + (6 * Math.exp(-s / 8)) }

  # Seconds of load after which the block is no longer true of a settling curve, which is judged
  # each time that its load has grown by a tenth.
  def first_warm(**options)
    (0..).lazy.map { |count| 20 * (1.1**count) }
         .find { |end_s| !yield(curve(end_s, **options, &SETTLING)) }
  end

  def median(values) = Mohs::Stats::Center.median(values)

  test "a constant cost is level, and does not rise" do
    level = curve(10, jitter: 0.02) { 0.5 }
    assert_in_delta 0, level.rise, 0.01
    refute_predicate level, :rising?
    assert_predicate curve(10, jitter: 0.001) { 0.5 }, :level?
  end

  test "a rate is level if it rises by less than a ninth until ten minutes of load" do
    early, late = [40, 200].map { |end_s| curve(end_s) { |s| 5 * (0.97**Math.log2(s + 0.1)) } }
    assert_in_epsilon early.rise, late.rise, 0.05
    refute_predicate early, :level?
    assert_predicate late, :level?
  end

  test "noise does not make a rate level that rises: its bound counts" do
    hosts = [[0.05, 0.05], [0.1, 0.07]]
    level = hosts.map do |drift, jitter|
      (1..30).count do |seed|
        curve(100, drift:, jitter:, seed:) { |s| 5 * (0.94**Math.log2(s + 0.1)) }.level?
      end
    end
    assert_operator level.max, :<=, 1, level.inspect
  end

  test "after ten minutes of load, noise does not keep a rate from being level" do
    level = (1..10).count { |seed| curve(610, drift: 0.05, jitter: 0.1, seed:) { 5.0 }.level? }
    assert_operator level, :>=, 7
    refute_predicate curve(610) { |s| 5 * (0.93**Math.log2(s + 0.1)) }, :level?
  end

  test "ten minutes count by the load: not on many cores, nor on a small part of one" do
    falling = steps(290) { |s| 5 * (0.97**Math.log2(s + 0.1)) }
    many, part = [[0.1, 1], [1, 0.1]].map do |wall, spent|
      Curve.new(falling.map do |step|
        Curve::Step.new(**step.to_h, wall_ns: step.wall_ns * wall, spent_ns: step.spent_ns * spent)
      end)
    end
    assert_predicate Curve.new(falling), :level?
    refute_predicate many, :level?
    refute_predicate part, :level?
  end

  test "a cost that falls by a tenth with each doubling is a rate that rises by a ninth" do
    falling = curve(20, jitter: 0.02) { |s| 5 * (0.9**Math.log2(s + 0.1)) }
    assert_in_delta 1 / 9.0, falling.rise, 0.03
    refute_predicate falling, :level?
    assert falling.rising?, falling.to_h.inspect
  end

  test "a cost that grows is no rising rate, and level: nothing gets faster" do
    growing = curve(20, jitter: 0.02) { |s| 1 + (s / 20) }
    assert_operator growing.rise, :<, -0.1
    refute_predicate growing, :rising?
    assert_predicate growing, :level?
  end

  test "a slow fall that neighbouring windows hide is seen" do
    slow = curve(60, drift: 0.01, jitter: 0.05) { |s| 1 + Math.exp(-s / 40) }
    assert_operator slow.rise, :>, 0.1
    assert slow.rising?, slow.to_h.inspect
  end

  # 3 % with each doubling, from a minute on.
  test "a rate may rise by what noise lets it, hardly ever by less than it does" do
    found = (1..60).map do |seed|
      curve(60, drift: 0.045, jitter: 0.05, seed:) { |s| 5 * (0.97**Math.log2(s + 0.1)) }.may_rise
    end
    left = (0.97**-Math.log2(10)) - 1

    assert_operator found.count { |may| may < left }, :<=, 4, found.inspect
  end

  # The worst of four kinds of hosts, of which two drift by a tenth.
  test "of servers that only vary hardly any seems to rise" do
    hosts = [[0.045, 0.05], [0.045, 0.3], [0.1, 0.05], [0.1, 0.3]]
    rising = hosts.map do |drift, jitter|
      (1..120).count { |seed| curve(12, drift:, jitter:, seed:) { 2.0 }.rising? }
    end
    assert_operator rising.max, :<=, 3, rising.inspect
  end

  test "of servers that rise by 40 % most are seen to, on a host like ours" do
    found = (1..60).map do |seed|
      curve(30, drift: 0.045, jitter: 0.05, seed:) { |s| 10 * ((s + 1)**-0.485) }
    end
    assert_operator found.count(&:rising?), :>=, 55
    assert_operator found.count(&:level?), :<=, 1
  end

  test "where threads compile in the background a rate rises until it is shown to be level" do
    rest = ->(_) { 0.01 }
    noisy = curve(30, drift: 0.1, jitter: 0.1, compilers: rest) { 1.0 }
    quiet = curve(30, jitter: 0.001, compilers: rest) { 1.0 }

    refute_predicate noisy, :rising?
    assert noisy.rising?(patient: true)
    refute quiet.rising?(patient: true)
  end

  test "with too few steps nothing is known" do
    few = Curve.new(steps(1) { 1.0 }.first(3))
    assert_nil few.rise
    refute_predicate few, :level?
    assert_nil few.rising?
    assert few.rising?(patient: true)
    assert_nil Curve.new([]).rise
  end

  test "with fewer than eight parts it is unknown whether a rate rises, however fast" do
    fast = ->(s) { 5 * (0.5**Math.log2(s + 0.1)) }
    found = [6, 14].map { |count| Curve.new(steps(9, &fast).first(8 + count)).rising? }
    assert_equal [nil, true], found
  end

  test "compilers are idle if they took little of the last quarter" do
    busy_until = ->(end_s) { curve(20, compilers: ->(s) { s < end_s ? 0.3 : 0.01 }) { 1.0 } }
    idle, busy, unknown = busy_until.call(12), busy_until.call(19), curve(20) { 1.0 }

    assert_equal [true, false, nil], [idle, busy, unknown].map(&:idle?)
    assert_in_delta 0.01, idle.compilers, 0.005
    assert_equal [false, true, true],
                 [idle, busy, unknown].map { |one| one.rising?(patient: true) }
    refute_predicate busy, :rising?
  end

  test "its first rate is that of the first 64 responses, its last that of the last window" do
    rates = curve(20) { |s| s < 1 ? 10.0 : 1.0 }.rates
    assert_in_epsilon 100, rates[:first_per_s], 0.01
    assert_in_epsilon 1000, rates[:last_per_s], 0.01
  end

  test "when it will be warm is foretold if each second brings less, and only then" do
    assert_in_epsilon first_warm(&:seems_to_rise?), curve(20, &SETTLING).warm_s, 0.2
    assert_nil curve(20) { |s| 10 - (s / 4) }.warm_s, "each second brings as much"
    assert_nil curve(20) { |s| 10 - ((s / 8)**2) }.warm_s, "each second brings more"
    assert_nil curve(20) { |s| 1 + (6 * Math.exp(-s / 80)) }.warm_s, "much later"
    assert_nil curve(20) { 1.0 }.warm_s
    assert_nil curve(20, compilers: ->(_) { 0.2 }, &SETTLING).warm_s
  end

  test "a JVM is foretold to be warm when it will be level, which noise delays" do
    quiet, noisy = [0.001, 0.03].map do |jitter|
      options = { jitter:, compilers: ->(_) { 0.01 } }
      found = (1..9).map do |seed|
        curve(60, **options, seed:, &SETTLING).warm_s(patient: true)
      end
      real = (1..9).map { |seed| first_warm(**options, seed:) { |one| one.rising?(patient: true) } }
      assert_in_epsilon median(real), median(found.map { |seconds| seconds || 999 }), 0.35
      median(found.compact)
    end

    assert_operator noisy, :>, quiet
  end

  test "while compilers work it can't be warm before they have been idle for a quarter" do
    busy, over, idle = [30, 24, 0].map do |end_s|
      curve(30, compilers: ->(s) { s < end_s ? 0.3 : 0.01 }) { 1.0 }
    end
    assert_in_delta 38, busy.earliest_s, 1
    assert_in_delta 31, over.earliest_s, 1, "they have rested for six seconds"
    assert_nil idle.earliest_s
    assert_nil curve(30) { 1.0 }.earliest_s
  end

  test "what is kept of it is plain" do
    settling = curve(20, compilers: ->(_) { 0.2 }) { |s| 1 + (6 * Math.exp(-s / 8)) }
    kept = settling.to_h(patient: true)
    assert_equal %i[first_per_s last_per_s rise compilers rising warm_s earliest_s], kept.keys
    assert_equal kept, JSON.parse(JSON.generate(kept), symbolize_names: true)
    assert kept[:rising]
  end

  test "results of load give its steps, without those that brought no correct response" do
    result = Struct.new(:good, :wall_ns, :cpu_ns)
    results = [result.new(10, 100, 50), result.new(0, 100, 50), result.new(10, 10, nil)]
    taken = []
    Curve.of(results, [0, 5, 6, 9]) { |one| (taken << one.good).size.to_f }

    assert_equal [10, 10], taken
    assert_in_delta 0.3, Curve.of(results, [0, 5, 6, 9]).compilers
    assert_nil Curve.of(results, [nil, 5, 6, nil]).compilers
    assert_equal [50, 10], results.values_at(0, 2).map { |one| Curve.spent(one) }
  end
end
