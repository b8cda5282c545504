# frozen_string_literal: true

require "test_helper"

class AnalysisEffectsTest < Mohs::TestCase
  Effects = Mohs::Analysis::Effects

  def effects(rates, alpha: 0.05, **options)
    cohorts = SampleResult.new(rates, **options).to_h[:cohorts]
    yield cohorts if block_given?
    names = rates.keys
    Effects.new(Mohs::Stored.cohorts(cohorts), baseline: names.first, candidates: names.drop(1),
                                               alpha:)
  end

  test "an effect has one difference per cohort" do
    effect = effects({ "a" => 1000, "b" => 1200 }, rounds: 5).effect("b")
    assert_equal 5, effect.count
    assert_in_delta 1.2, effect.ratio, 0.01
    assert_in_delta 1.0, effects({ "a" => 1000, "b" => 1200 }).effect("a").ratio, 1e-12
  end

  test "a cohort in which one of the two failed says nothing of them" do
    found = effects({ "a" => 1000, "b" => 1200, "c" => 1100 }) do |cohorts|
      cohorts[0][:trials][1].merge!(state: "failed", slices: [])
      cohorts[1][:trials][0].merge!(state: "refused", slices: [])
    end
    assert_equal [1, 2], [found.effect("b").count, found.effect("c").count]
    assert_equal %i[undecided undecided], %w[b c].map { |name| found.verdict(name).outcome }
  end

  # Slopes of no server are known here: an adjustment stands for them.
  test "what the adjustment may be biased by is in every interval, and in the groups" do
    biased = Struct.new(:share) { def bias(_metric) = share }
    rates = { "a" => 1000, "b" => 1010, "c" => 1020 }
    plain, wide = [0.0, 0.05].map do |share|
      cohorts = Mohs::Stored.cohorts(SampleResult.new(rates, rounds: 5).to_h[:cohorts])
      Effects.new(cohorts, baseline: "a", candidates: %w[b c], adjustment: biased.new(share))
    end

    ends = [plain, wide].map { |one| Math.log(one.verdict("b").high) }
    assert_in_delta ends.first + 0.05, ends.last, 1e-12
    assert_equal [[], [%w[b c]]], [plain, wide].map { |one| one.groups(%w[b c]) }
    assert_equal [:faster, :undecided], [plain, wide].map { |one| one.verdict("c").outcome }
  end

  THROUGHPUT = Mohs::Analysis::Metric.fetch("throughput")

  # What a server took of a core between its own slices, in every trial of that variant.
  def taking(share, variant, rates = { "a" => 1000, "b" => 1200 }, cores: 1)
    effects(rates, rounds: 5) do |cohorts|
      cohorts.flat_map { |cohort| cohort[:trials] }.each do |trial|
        busy = share && trial[:variant] == variant
        trial[:checks] = [{ name: "idle", ok: !busy, level: busy ? "warn" : "ok",
                            code: busy ? "idle.busy" : "idle.quiet",
                            values: { share: busy ? share : 0.0 } }]
        trial[:cores] = cores
      end
    end
  end

  # 1.2 times the rate, of which a baseline that lost half of its core would explain all.
  { [1.19, "b"] => true, [0.5, "b"] => true, [0.05, "b"] => false, [0.5, "a"] => false,
    [nil, "b"] => false }.each do |(share, variant), spoiled|
    test "a lead of 20 % where #{variant} took #{share || 'nothing'} of a core meanwhile" do
      found = taking(share, variant)
      finding = found.verdict("b").findings.find(&:fatal?)

      assert_equal [spoiled ? :invalid : :faster, spoiled],
                   [found.verdict("b").outcome, !finding.nil?]
      assert_equal ["slowed_others", "b", { variant: "b", share: }],
                   [finding.code, finding.subject, finding.values] if finding
    end
  end

  test "what the baseline took while others were measured may be what they are slower by" do
    rates = { "a" => 1200, "b" => 1000 }
    outcomes = [taking(0.5, "a", rates), taking(0.5, "b", rates), taking(0.5, "a", rates, cores: 8)]
               .map { |one| one.verdict("b").outcome }

    assert_equal %i[invalid slower slower], outcomes
  end

  # A lead whose interval ends just above 1: what one took moves that end, not the lead.
  test "a lead that hardly excludes 1 is undecided, not without a verdict, by a little of a core" do
    rates = { "a" => 1000, "b" => 1008 }
    free, busy = [nil, 0.005].map { |share| taking(share, "b", rates).verdict("b") }

    assert_equal %i[faster undecided], [free, busy].map(&:outcome)
    assert_in_delta Math.log(free.low) + Math.log(0.995), Math.log(busy.low), 1e-9
    assert_equal [["slowed_a_little", { variant: "b", share: 0.005 }]],
                 busy.findings.map { |one| [one.code, one.values] }.last(1)
  end

  # By which share the rate of b may still rise.
  def rising(share, rates)
    effects(rates, rounds: 5) do |cohorts|
      cohorts.flat_map { |cohort| cohort[:trials] }.each do |trial|
        may_rise = trial[:variant] == "b" ? share : 0.0
        warm_up = { outcome: "warm", requests: 250, may_rise: }
        trial[:facts] = trial[:facts].merge(warm_up:)
      end
    end
  end

  test "what a JIT may still bring moves the end that it concerns, and is told" do
    slower = { "a" => 1000, "b" => 980 }
    level, may = [0.0, 0.06].map { |share| rising(share, slower).verdict("b") }

    assert_equal %i[slower undecided], [level, may].map(&:outcome)
    assert_equal level.low, may.low
    assert_in_delta 1.06, may.high / level.high, 1e-9
    assert_equal [["biased", nil], %w[may_rise b]],
                 (may.findings.map { |one| [one.code, one.subject] })
    assert_empty level.findings
  end

  # One was booted again for that. More would favour the variant, if they were left out.
  test "one boot whose rate still rose costs the variant no verdict, two or one that ended do" do
    found = [["steady.rising", 1], ["steady.rising", 2], ["errors.some", 1],
             ["steady.rising", 1, 75]].map do |code, count, seconds = 5|
      effects = effects({ "a" => 1000, "b" => 1200 }, rounds: 6) do |cohorts|
        cohorts.first(count).each do |cohort|
          trial = cohort[:trials].find { |one| one[:variant] == "b" }
          trial.merge!(state: "invalid", checks: [{ name: "any", level: "invalid", code: }],
                       facts: { **trial[:facts].to_h, warm_up: { seconds: } })
        end
      end
      effects.verdict("b")
    end

    assert_equal %i[faster invalid invalid invalid], found.map(&:outcome)
    assert_equal ["still_rose", { variant: "b", rose: 2, trials: 6, too_long: false }],
                 found[1].findings.first.to_h.values_at(:code, :values)
    assert_equal "ended_under_load", found[2].findings.first.code
    assert_equal ["still_rose", { variant: "b", rose: 1, trials: 6, too_long: true }],
                 found.last.findings.first.to_h.values_at(:code, :values)
  end

  # Nobody leads: what one took makes the interval wider, and does not rule out a verdict.
  test "two are not called equal if what one of them took would lead out of the margin" do
    even = { "a" => 1000, "b" => 1000.1 }
    outcomes = { nil => 1, 0.03 => 1, 0.011 => 1, 0.012 => 8 }.map do |share, cores|
      taking(share, "b", even, cores:).verdict("b").outcome
    end

    assert_equal %i[equivalent undecided undecided equivalent], outcomes
    free, busy = [nil, 0.3].map { |share| taking(share, "b", even).verdict("b") }
    assert_in_delta Math.log(free.low) + Math.log(0.7), Math.log(busy.low), 1e-9
    assert_equal free.high, busy.high
    assert_equal "slowed_a_little", busy.findings.find { |one| one.subject == "b" }.code
  end

  # Half a percent more, which many rounds tell from nothing: it is equal all the same.
  test "what one took voids no lead that is within the margin with it" do
    rates = { "a" => 1000, "b" => 1003 }
    found = effects(rates, rounds: 40) do |cohorts|
      cohorts.flat_map { |cohort| cohort[:trials] }.each do |trial|
        share = trial[:variant] == "b" ? 0.004 : 0.0
        trial[:checks] = [{ name: "idle", ok: true, level: "ok", code: "idle.quiet",
                            values: { share: } }]
        trial[:cores] = 1
      end
    end

    assert_equal :faster, effects(rates, rounds: 40).verdict("b").outcome
    assert_equal :equivalent, found.verdict("b").outcome
  end

  # b leads by 20 %. What it took makes the low end lower although it stays above 1; what the
  # baseline took makes the high end higher, and is no reason against the lead.
  test "an interval allows for what either side took, on the side of that, and so do the totals" do
    free, own, other = [[nil, "b"], [0.05, "b"], [0.5, "a"]].map { |one| taking(*one) }
    ends = [free, own, other].map do |one|
      one.verdict("b").to_h.values_at(:low, :high).map { |ratio| Math.log(ratio) }
    end

    assert_in_delta ends[0][0] + Math.log(0.95), ends[1][0], 1e-9
    assert_equal [ends[0][1], ends[0][0]], [ends[1][1], ends[2][0]]
    assert_in_delta ends[0][1] - Math.log(0.5), ends[2][1], 1e-9
    totals = [free, own].map { |one| one.total("b").interval.low }
    assert_in_delta 0.95, totals[1] / totals[0], 1e-9
    assert_equal %w[b a], ([own, other].map { |one| one.verdict("b").findings.last.subject })
  end

  test "one trial that took all of a core does not spoil twenty, and an unknown one is none" do
    found = effects({ "a" => 1000, "b" => 1200 }, rounds: 20) do |cohorts|
      own = cohorts.map { |cohort| cohort[:trials].find { |one| one[:variant] == "b" } }
      shares = [1.02, nil, *[0.0] * 18]
      own.zip(shares) do |trial, share|
        trial[:checks] = [{ name: "idle", ok: nil, level: "ok", code: "idle.always_loaded",
                            values: share ? { share: } : {} }]
      end
    end

    assert_equal :faster, found.verdict("b").outcome
  end

  test "what one took keeps it from being told apart from another, but not its memory" do
    rates = { "a" => 1000, "b" => 1600, "c" => 1300 }
    free, busy = [nil, 0.3].map { |share| taking(share, "b", rates) }

    assert_equal [[], [%w[b c]]], [free, busy].map { |one| one.groups(%w[b c]) }
    wider = [free, busy].map { |one| one.ratio(THROUGHPUT, "c", "b").bias }
    assert_in_delta wider.first.below - Math.log(0.7), wider.last.below
    assert_equal wider.first.above, wider.last.above
    memory = Mohs::Analysis::Metric.fetch("memory")
    assert_equal 0.0, busy.ratio(memory, "c", "b").bias.most
  end

  test "with a variant that took all of a core only ratios of memory and CPU time mean anything" do
    found = taking(1.02, "b")

    fatal = %w[throughput memory cpu].to_h do |name|
      metric = Mohs::Analysis::Metric.fetch(name)
      [name, [found, taking(0.9, "b")].map { |one| one.fatal_of(metric, "a", "b")&.code }]
    end

    # A server's CPU time does not count what it waits for a core.
    assert_equal({ "throughput" => ["slowed_others", nil], "memory" => [nil, nil],
                   "cpu" => [nil, nil] }, fatal)
  end

  # The driver had no core for these shares of the time, in the trials of each of these variants.
  def waited(rates, **shares)
    effects(rates, rounds: 4) { |cohorts| SampleResult.let_wait(cohorts, shares) }
  end

  # While it waits it sends and reads nothing: a rate would be higher by at most that.
  test "a ratio may be off by as long as the driver had no core, on average over the boots" do
    rates = { "a" => 1000, "b" => 1600, "c" => 1300 }
    free, late = waited(rates), waited(rates, b: [0.4, 0.0, 0.0, 0.4], c: [0.1] * 4)
    biases = [free, late].map do |one|
      [one.ratio(THROUGHPUT, "a", "b"), one.ratio(THROUGHPUT, "c", "b"),
       one.ratio(THROUGHPUT, "a", "c")].map { |ratio| ratio.bias.most }
    end
    b, c = [0.2, 0.1].map { |share| -Math.log(1 - share) }

    biases.transpose.zip([b, b, c]) do |(none, some), more|
      assert_in_delta none + more, some
    end
    memory = Mohs::Analysis::Metric.fetch("memory")
    assert_equal 0.0, late.ratio(memory, "a", "b").bias.most
  end

  # The bound of what it hides grows without limit: from some share on it is no bound any more.
  test "no metric of requests means anything where the driver nearly always had no core" do
    rates = { "a" => 1000, "b" => 1200 }
    metrics = [THROUGHPUT, Mohs::Analysis::Metric.fetch("p50"),
               Mohs::Analysis::Metric.fetch("memory")]
    found = [0.89, 0.97].map do |share|
      metrics.map { |metric| waited(rates, b: [share] * 4).fatal_of(metric, "a", "b")&.code }
    end

    assert_equal [[nil, "driver_waited", nil], ["driver_starved", "driver_starved", nil]], found
    assert_predicate waited(rates, b: [1.0] * 4).ratio(THROUGHPUT, "a", "b").bias.most, :finite?
  end

  test "how long requests took means nothing where the driver had no core" do
    rates = { "a" => 1000, "b" => 1200 }
    p50, p99 = Mohs::Analysis::Metric.fetch("p50"), Mohs::Analysis::Metric::TAIL
    metrics = [THROUGHPUT, p50, p99]
    found = [[0.02] * 4, [0.03, 0, 0, 0]].map do |shares|
      metrics.map { |metric| waited(rates, b: shares).fatal_of(metric, "a", "b")&.to_h }
    end

    finding = { code: "driver_waited", severity: :bad, subject: "b",
                values: { variant: "b", share: 0.02 } }
    assert_equal [nil, finding, finding], found.first
    assert_equal [nil] * 3, found.last
  end

  test "interval and outcome agree in every verdict" do
    (1..30).each do |seed|
      rates = { "a" => 1000, "b" => 1005, "c" => 1010, "d" => 1020, "e" => 1040 }
      found = effects(rates, seed:, blocks: 6)
      rates.keys.drop(1).each do |name|
        verdict = found.verdict(name)
        decided = %i[faster slower].include?(verdict.outcome)
        assert_equal decided, !1.0.between?(verdict.low, verdict.high), "#{name}, seed #{seed}"
      end
    end
  end

  test "the intervals cover the truth, all together" do
    rates = { "a" => 1000, "b" => 1100, "c" => 900 }
    missed = (1..200).count do |seed|
      found = effects(rates, seed:, blocks: 6)
      rates.drop(1).any? do |name, rate|
        verdict = found.verdict(name)
        !(rate / 1000.0).between?(verdict.low, verdict.high)
      end
    end
    # 5 % of 200 for both together, and four standard errors.
    assert_operator missed, :<=, 22
  end

  test "where five are alike three rounds tell 3 % that their own spreads would not" do
    rates = { "a" => 1000, "b" => 1030, "c" => 1000, "d" => 1000, "e" => 1000 }
    options = { boot_sd: 0.004, block_sd: 0.005, blocks: 6 }
    together, alone = [rates, rates.first(2).to_h].map do |given|
      (1..40).map { |seed| effects(given, seed:, **options) }
    end

    assert_operator together.count { |found| found.verdict("b").outcome == :faster }, :>=, 30
    share = Mohs::Analysis::Verdict::ALPHA / 4
    separate = alone.count { |found| found.effect("b").interval(alpha: share).low > 1 }
    assert_operator separate, :<=, 22
  end

  test "the level is shared by all candidates, and the result says how it came about" do
    found = effects({ "a" => 1000, "b" => 1000, "c" => 1000, "d" => 1000, "e" => 1000 }, rounds: 4)

    assert_equal ["pooled", 12, 0.0125], found.inference.to_h.values_at(:spread, :degrees, :alpha)
    assert_in_delta 0.01, effects({ "a" => 1, "b" => 1, "c" => 1 }, alpha: 0.02).inference.alpha
  end

  test "a difference of 3 % is found among three rounds of quiet boots" do
    found = (1..20).count do |seed|
      options = { seed:, boot_sd: 0.001, block_sd: 0.005 }
      effects({ "a" => 1000, "b" => 1030 }, **options).verdict("b").outcome == :faster
    end
    assert_equal 20, found
  end

  test "groups hold what differs by less than the noise, and part what differs by more" do
    rates = { "a" => 1000, "b" => 1500, "c" => 1501, "d" => 2000, "e" => 2003 }
    names = %w[e d c b]
    assert_equal [%w[e d], %w[c b]], effects(rates).groups(names)
    assert_equal [names], effects(rates, rounds: 1).groups(names), "one round parts nobody"
    assert_empty effects(rates).groups(["b"])
  end

  # B and C, each beside the baseline alone, in two cohorts of each round.
  def apart(rates)
    cohorts = SampleResult.new(rates, rounds: 4).to_h[:cohorts].flat_map do |cohort|
      a, b, c = cohort[:trials]
      [cohort.merge(trials: [a, b]), cohort.merge(trials: [a, c])]
    end
    Effects.new(Mohs::Stored.cohorts(cohorts), baseline: "a", candidates: %w[b c])
  end

  test "pairs that never shared a cohort are compared by the baseline of each" do
    assert_equal [%w[c b]], apart({ "a" => 1000, "b" => 1500, "c" => 1501 }).groups(%w[c b])
    assert_empty apart({ "a" => 1000, "b" => 1500, "c" => 1600 }).groups(%w[c b])
  end

  test "in a round in which only some cohorts hold both, these decide" do
    cohorts = SampleResult.new({ "a" => 1000, "b" => 1500, "c" => 1501 }, rounds: 4).to_h[:cohorts]
    rounds = cohorts.flat_map do |cohort|
      a, b, c = cohort[:trials]
      [cohort.merge(trials: [a, b]), cohort.merge(trials: [b, c])]
    end
    found = Effects.new(Mohs::Stored.cohorts(rounds), baseline: "a", candidates: %w[b c])

    assert_equal [%w[c b]], found.groups(%w[c b])
  end

  test "of which one was never beside the baseline, a pair is not told apart" do
    found = effects({ "a" => 1000, "b" => 1500, "c" => 3000 }) do |cohorts|
      cohorts.each { |cohort| cohort[:trials].reject! { |trial| trial[:variant] == "a" } }
      cohorts.each { |cohort| cohort[:trials].pop }
    end

    assert_equal [%w[c b]], found.groups(%w[c b])
  end

  test "pairs that shared a cohort are compared there, not by their baseline" do
    found = effects({ "a" => 1000, "b" => 1500, "c" => 1600 }, boot_sd: 0) do |cohorts|
      # The baseline jumps about; what its neighbours differ by does not.
      [0.5, 1, 2].zip(cohorts) do |jump, cohort|
        slices = cohort[:trials][0][:slices]
        slices.each { |slice| slice[:wall_ns] = (slice[:wall_ns] * jump).round }
      end
    end
    assert_equal :undecided, found.verdict("b").outcome
    assert_empty found.groups(%w[c b])
  end

  test "what was never measured beside the baseline has no verdict" do
    found = effects({ "a" => 1000, "b" => 1500 }) do |cohorts|
      cohorts.each { |cohort| cohort[:trials].reject! { |trial| trial[:variant] == "a" } }
    end
    verdict = found.verdict("b")
    assert_equal [:invalid, %w[never_beside], { against: "a" }],
                 [verdict.outcome, verdict.findings.map(&:code), verdict.findings.first.values]
    assert_nil found.effect("b").ratio
  end

  # Slices of the second round in which this variant answered nothing right.
  def silent_in(slices, of: "b")
    effects({ "a" => 1000, "b" => 1500 }) do |cohorts|
      trial = cohorts[1][:trials].find { |one| one[:variant] == of }
      trial[:slices].drop(1).each_slice(2).first(slices).each { |block| block[0][:good] = 0 }
    end
  end

  test "who is silent for more slices than trimming takes has no verdict" do
    %w[b a].each do |variant|
      verdict = silent_in(5, of: variant).verdict("b")

      assert_equal [:invalid, %w[silent]], [verdict.outcome, verdict.findings.map(&:code)]
      assert_equal({ variant: }, verdict.findings.first.values)
    end
    trimmed = silent_in(2)
    assert_equal [:faster, 3], [trimmed.verdict("b").outcome, trimmed.effect("b").count]
  end

  # In the second round this variant ended like that, after its load had begun.
  def died(of, state: "failed", slices: 5)
    effects({ "a" => 1000, "b" => 1500, "c" => 1500 }, rounds: 4) do |cohorts|
      trial = cohorts[1][:trials].find { |one| one[:variant] == of }
      trial.merge!(state:, slices: trial[:slices].first(slices))
    end
  end

  test "who ends under load has no verdict, and if it is the baseline nobody has" do
    outcomes = %w[b a].map { |of| %w[b c].map { |name| died(of).verdict(name).outcome } }
    found = died("b").verdict("b").findings.first

    assert_equal [%i[invalid faster], %i[invalid invalid]], outcomes
    assert_equal ["ended_under_load", "b", { variant: "b", ended: 1, trials: 4 }],
                 [found.code, found.subject, found.values]
    assert_equal :invalid, died("b", state: "invalid").verdict("b").outcome
  end

  test "who ends before any load, or because mohs did, has one" do
    found = [died("b", slices: 0), died("b", state: "lost"), died("b", state: "started")]

    assert_equal [:faster], found.map { |one| one.verdict("b").outcome }.uniq
  end

  # B's slices, each so much slower than the one before it.
  def drifting(share, boot_sd: 0)
    effects({ "a" => 1000, "b" => 1200 }, boot_sd:, block_sd: 0.001) do |cohorts|
      cohorts.each do |cohort|
        cohort[:trials][1][:slices].each.with_index do |slice, index|
          slice[:wall_ns] = (slice[:wall_ns] * ((1 + share)**index)).round
        end
      end
    end
  end

  test "a lead that moves from block to block in every cohort is not steady" do
    found = drifting(0.004).verdict("b").findings.first

    assert_equal ["not_steady", :warn, { of: nil, over: "a" }],
                 [found.code, found.severity, found.values.slice(:of, :over)]
    assert_in_delta 1 / (1.004**18), found.values[:ratio], 0.005
    assert_empty drifting(0.0003).verdict("b").findings, "less than the margin"
  end

  test "a lead that moves by more than all of itself is no verdict, as in a comparison" do
    moved, steady = [0.03, 0.004].map { |share| drifting(share).verdict("b") }

    assert_equal [:invalid, %w[not_steady], [:bad]],
                 [moved.outcome, moved.findings.map(&:code), moved.findings.map(&:severity)]
    assert_equal :faster, steady.outcome
  end

  # Boots differ so much that B's lead may be chance.
  test "a move larger than a lead that is not beyond chance leaves it undecided" do
    found = drifting(0.03, boot_sd: 0.4).verdict("b")

    assert_equal [:undecided, :warn],
                 [found.outcome, found.findings.find { |one| one.code == "not_steady" }.severity]
  end

  test "equal servers are called not steady in 1 of 100 runs, and are left without no verdict" do
    found = Array.new(count = times(100, 300)) do |seed|
      effects({ "a" => 1000, "b" => 1000 }, seed: seed + 1, blocks: 5, block_sd: 0.03).verdict("b")
    end
    moving = found.count { |one| one.findings.any? { |finding| finding.code == "not_steady" } }

    errors = 3 * Math.sqrt(count * 0.01 * 0.99)
    assert_operator moving, :<=, (0.01 * count) + errors, "1 %, and three standard errors"
    assert_empty found.select { |one| one.outcome == :invalid }
  end

  test "where throughput decides, no other metric is named" do
    found = effects({ "a" => 1000, "b" => 9000 }, boot_sd: 0, block_sd: 0.0001) do |cohorts|
      cohorts.zip([0.8, 1.3, 1.0]) do |cohort, factor|
        slices = cohort[:trials][1][:slices]
        slices.each { |slice| slice[:wall_ns] = (slice[:wall_ns] * factor).round }
      end
    end

    assert_equal [:faster, []], found.verdict("b").then { [_1.outcome, _1.findings] }
  end

  test "where throughput decides nothing, a metric that is three times as exact is named" do
    jump = [0.8, 1.3, 1.0]
    found = effects({ "a" => 1000, "b" => 1010 }, boot_sd: 0, block_sd: 0.0001) do |cohorts|
      cohorts.zip(jump) do |cohort, factor|
        slices = cohort[:trials][1][:slices]
        slices.each { |slice| slice[:wall_ns] = (slice[:wall_ns] * factor).round }
      end
    end
    finding = found.verdict("b").findings.last

    assert_equal ["quieter_metric", "faster"], [finding.code, finding.values[:outcome]]
    assert_in_delta 1.01, finding.values[:effect], 0.001
  end
end
