# frozen_string_literal: true

require "test_helper"

class BatchesOfTrialTest < Mohs::TestCase
  COLD = Mohs::Study::ColdStart.new(batches: 12, requests: 100)

  # Loads a rule until it is over; the block gives the time of each request in ns, by its number.
  def served(extra: 0, reads: false, used_ns: nil, engine: "ruby", jit: "off", cold_start: COLD)
    script = ->(_, number) { yield number }
    targets = [Mohs::Load::Target.new(connections: 2)]
    driver = Mohs::Drivers.fetch("mock").new(targets:, script:)
    rule = Mohs::Trial::Batches.new(cold_start) { Mohs::Trial::WarmUp.for(engine, jit:, cap_s: 5) }
    numbers = (0..).each
    rule.read({ methods: numbers.next }) if reads
    rule.compilers(0) if used_ns
    while (count = rule.next).is_a?(Integer)
      result = driver.run([Mohs::Load::Step.new(count:, warm_up: true)]).first
      rule.compilers(used_ns *= 2) if used_ns
      rule << result
      rule.read({ methods: numbers.next }) if reads && rule.reads?
    end
    extra.times { driver.run([Mohs::Load::Step.new(count: 50)]) }
    [rule, driver.recording(0)]
  end

  # Three batches at twice the time.
  def warming = served(extra: 2) { |number| number < 300 ? 4_000_000 : 2_000_000 }

  # Each doubling of its load lowers the time by 29 %, and ever will.
  def faster_and_faster
    served(jit: "yjit") { |number| (6_000_000 / Math.sqrt(1 + (number / 100.0))).round }
  end

  test "what its JIT has yet to do is that of the rule that it goes on by" do
    few = Mohs::Study::ColdStart.new(batches: 2, requests: 5)
    rule, = served(jit: "yjit", cold_start: few) { 300_000_000 }

    assert_equal [1.0, 1.7], rule.unwarmed(rule.requests).values_at(:uncompiled, :may_rise)
    assert_equal 0.0, rule.unwarmed(rule.requests, compiles: false)[:uncompiled]
    batches = Mohs::Trial::Batches.new(COLD) { Mohs::Trial::WarmUp.for("ruby", jit: "off") }
    assert_equal [0.0, 0.0], batches.unwarmed(100).values_at(:uncompiled, :may_rise)
  end

  test "batches that are fewer than its engine needs are not enough, however steady" do
    rule, = served(jit: "mjit") { 300_000 }
    assert_operator rule.requests, :>=, 12_000
  end

  test "so many batches are served, as many requests in each" do
    rule, recording = warming

    assert_equal [:warm, 1200, 12], [rule.outcome, rule.requests, rule.to_h[:windows]]
    assert_equal 1300, recording.size
    assert_in_delta 1000, rule.rate, 1e-6
    assert_in_delta (3 * 0.2) + (9 * 0.1), rule.seconds, 1e-9
    assert_equal 0, rule.settle_s
  end

  test "where threads compile in the background, batches have a curve" do
    rule, = served(engine: "jruby", used_ns: 1) { |number| number < 300 ? 4_000_000 : 2_000_000 }

    assert_equal 5, rule.settle_s
    assert_equal [500.0, 1000.0], rule.to_h[:curve].values_at(:first_per_s, :last_per_s)
    refute warming.first.to_h.key?(:curve)
  end

  test "whose compilers work to the end goes on until its cap, with a curve of all its load" do
    rule, recording = served(engine: "jruby", used_ns: 1_000_000) do |number|
      number < 300 ? 4_000_000 : 2_000_000
    end

    assert_equal [:short, 12, 12],
                 [rule.outcome, rule.to_h[:windows], rule.batches(recording).size]
    assert_operator rule.seconds, :>=, 1.5 + 5
    assert_equal [true, 500.0, 1000.0, 1200],
                 rule.to_h[:curve].values_at(:rising, :first_per_s, :last_per_s, :most_s)
  end

  test "a server that is not warm after its batches is loaded until it is" do
    rule, recording = served(reads: true) do |number|
      2_000_000 + [1_500_000 - (1000 * number), 0].max
    end

    assert_equal [:warm, 12], [rule.outcome, rule.to_h[:windows]]
    assert_operator rule.requests, :>, 1500
    assert_operator rule.rate, :>, 950
    assert_equal [100] * 12, rule.batches(recording).map { |one| one[:good] }
    assert_equal 12, rule.batches(recording).last.dig(:jit, :methods)
    refute_predicate rule, :reads?
    refute rule.to_h.key?(:curve)
  end

  test "batches that got faster to the end have a curve, whatever the engine" do
    rule, = faster_and_faster
    assert_equal [:capped, true], [rule.outcome, rule.to_h.key?(:curve)]
  end

  test "each batch is kept with its time and its latencies, and no other load" do
    rule, recording = warming
    found = rule.batches(recording)

    assert_equal 12, found.size
    assert_equal [100] * 12, found.map { |one| one[:good] }
    assert_equal [[200_000_000, 4_000_000, 4_000_000], [100_000_000, 2_000_000, 2_000_000]],
                 found.values_at(0, 11).map { |one| one.values_at(:wall_ns, :p50_ns, :p99_ns) }
  end

  test "a heap at 40 ms is counted batch by batch" do
    rule, recording = served { |number| number.odd? ? 41_000_000 : 5_000_000 }
    stalls = rule.batches(recording).map { |one| one[:stalls].first }

    assert_equal [{ inside: 50, beside: 0 }], stalls.uniq
  end

  test "a request without an answer ranks as the slowest" do
    rule, recording = served do |number|
      (number % 100) < 60 && number >= 1100 ? "timeout" : 1_000_000
    end
    last = rule.batches(recording).last

    assert_equal [40, nil, nil], last.values_at(:good, :p50_ns, :p99_ns)
    assert_equal 1_000_000, rule.batches(recording).first[:p99_ns]
  end

  test "one that stops answering ends it" do
    gone, = served { |number| number < 250 ? 1_000_000 : "refused" }

    assert_equal [:capped, 4, 250], [gone.outcome, *gone.to_h.values_at(:windows, :requests)]
  end

  test "what was compiled by its end is kept with each batch, that before the first one apart" do
    rule, recording = served(reads: true) { 1_000_000 }
    rule.keep([{ name: "a", at: "b.rb:1", versions: 2, lines: [3, 4] }])

    assert_equal [1, 12], rule.batches(recording).map { |one| one[:jit][:methods] }.minmax
    assert_equal({ jit_at_start: { methods: 0 },
                   code: [{ name: "a", at: "b.rb:1", versions: 2, lines: [3, 4] }] }, rule.compiled)
  end

  test "a server that tells nothing of a JIT has no such figures" do
    rule, recording = served { 1_000_000 }
    rule.read({})

    assert_empty rule.compiled
    refute_includes rule.batches(recording).first, :jit
  end
end
