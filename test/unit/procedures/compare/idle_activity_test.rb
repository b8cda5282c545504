# frozen_string_literal: true

require "test_helper"

# What a server took of the other's cores while that one was measured.
class ComparisonIdleActivityTest < Mohs::TestCase
  LEAD = [0.031, 0.03, 0.029].freeze
  EVEN = [0.0002, 0.0, -0.0002].freeze

  # paced: the variant whose requests were sent at a given rate. skew: the mean of its requests
  # over their median, for each variant. completed: responses for each correct one.
  def comparison(differences, share: 0.0, variant: "b", cores: 1, paced: nil, skew: {},
                 completed: 1, **rules)
    taken = share.respond_to?(:call) ? share : ->(_) { share }
    taking = lambda do |trial, name, position|
      busy = name == variant
      trial[:checks] = [{ name: "idle", ok: !busy, level: "ok", code: "idle.quiet",
                          values: { share: busy ? taken.call(position) : 0.0 } }]
      trial[:cores] = cores
      trial[:slices].each { |slice| slice[:completed] = (slice[:good] * completed).round }
      latency = trial[:facts][:latency]
      latency[:kind] = :response if paced == name
      latency[:p50_ns] = (latency[:p50_ns] / skew.fetch(name, 1)).round
    end
    Mohs::Stored.comparison(CompareResult.new(differences, comparison: rules, trial: taking).to_h)
  end

  def line(comparison, name) = comparison.lines.find { |one| one.metric.name == name }

  test "a lead that it may explain decides nothing, and a larger one does" do
    decided = [0.0, 0.02, 0.05].map { |share| comparison(LEAD, share:).decided }

    assert_equal %i[differs differs continue], decided
    assert_equal :differs, comparison(LEAD, share: 0.05, cores: 8).decided
    behind = LEAD.map(&:-@)
    assert_equal :continue, comparison(behind, share: 0.05, variant: "a").decided
    assert_equal :differs, comparison(behind, share: 0.05).decided,
                 "what B takes makes nothing look faster but B"
  end

  # The mean over trials: the difference is one, too.
  test "what it took in every other cohort counts, and so does little" do
    every_other = ->(position) { position.even? ? 0.05 : 0.0 }
    assert_equal :continue, comparison([0.024, 0.025, 0.026, 0.025], share: every_other).decided
    little = { 0.0 => :differs, 0.0095 => :equivalent }
    assert_equal little, (little.to_h do |share, _|
      [share, comparison([0.0094, 0.0095, 0.0096], share:).decided]
    end)
  end

  test "a lead is not void because of it: it goes on, but not where chance decides nothing more" do
    found = comparison(LEAD * 2, share: 0.05)

    assert_equal [%i[continue exhausted], nil], [found.looks.map(&:decision), found.fault]
    biases = found.looks.map { |look| look.bias.to_h.transform_values { |one| one.round(9) } }
    assert_equal [{ below: -Math.log(0.95).round(9), above: 0.0 }], biases.uniq
  end

  test "a user is told if that is more than what is to be found" do
    codes = [0.009, 0.02].map { |share| comparison(LEAD, share:).warnings.map(&:code) }

    assert_equal [[], %w[slowed_other]], codes
  end

  test "two are equal only if that would not lead out of the margin" do
    assert_equal %i[equivalent continue continue],
                 [0.0, 0.0099, 0.011].map { |share| comparison(EVEN, share:).decided }
  end

  test "it moves the end of each interval that it flatters, and leaves none of p99" do
    free, busy = [0.0, 0.1].map { |share| comparison(LEAD, share:) }
    lower, higher = %i[low high].map do |side|
      %w[throughput p50 cpu memory].map do |name|
        Math.log(line(free, name)[side] / line(busy, name)[side]).round(9)
      end
    end
    lost = -Math.log(0.9)
    median = Math.log(1 + (2 * (Math.exp(lost) - 1)))
    moved = [lost, median, 0.1 * Math.log(4 / 3r), 0.0].map { |one| one.round(9) }

    assert_equal [moved, [0.0] * 4], [lower, higher]
    assert_equal [nil, "slowed_others"], [free, busy].map { |one| one.tail.missing&.code }
  end

  # A wait is a share of the mean. If most requests are quick and some slow, the median may move by
  # more than that share of itself.
  test "p50 may be off by more if the mean of the other's requests is larger" do
    lows = [[{}, 0.0], [{}, 0.05], [{ "a" => 4 }, 0.05], [{ "b" => 4 }, 0.05]].map do |skew, share|
      Math.log(line(comparison(LEAD, share:, skew:), "p50").low)
    end
    wait = 2 * ((1 / 0.95) - 1)

    [1, 4, 1].zip(lows.drop(1)) do |skew, low|
      assert_in_delta lows.first - Math.log(1 + (skew * wait)), low, 1e-6
    end
  end

  test "the mean of the other's requests is that of its correct ones, of which p50 is, too" do
    low = line(comparison(LEAD, share: 0.05, skew: { "a" => 4 }), "p50").low
    wrong = comparison(LEAD, share: 0.05, skew: { "a" => 4 }, completed: 1.25)

    assert_in_delta low, line(wrong, "p50").low, 1e-9
  end

  # What both do meets the requests of both.
  test "p99 may be off by several times of what one did more than the other" do
    free, busy = [0.0, 0.0009].map { |share| comparison(LEAD, share:).tail }
    paced = comparison(LEAD, share: 0.0009, paced: "a").tail
    lost = -Math.log(1 - 0.0009)

    [[busy, 7], [paced, 35]].each do |line, times|
      assert_in_delta Math.log(free.low) - (times * lost), Math.log(line.low), 1e-6
      assert_in_delta free.high, line.high, 1e-9
    end
  end

  # Who waits for a core waits for those before him, too: near capacity, p50 is off by many times
  # what was taken.
  test "where the other has a given rate its p50 has no interval, and the rate still has one" do
    faults = [[0.0009, "a"], [0.0011, "a"], [0.0011, "b"]].map do |share, paced|
      found = comparison(LEAD, share:, paced:)
      %w[throughput p50 cpu].map { |name| line(found, name).missing&.code } +
        [found.tail.missing&.code]
    end

    slowed = [nil, "slowed_others", nil, "slowed_others"]
    assert_equal [[nil] * 4, slowed, [nil, nil, nil, "slowed_others"]], faults
  end

  test "there is no result with a server that took all of the other's cores, but CPU and memory" do
    found = comparison(LEAD, share: 1.02)
    finding = found.fault

    assert_equal [:invalid, "slowed_others", "B", { variant: "b", share: 1.02 }],
                 [found.verdict.outcome, finding.code, finding.subject, finding.values]
    codes = %w[throughput p50 cpu memory].map { |name| line(found, name).missing&.code }
    assert_equal ["slowed_others", "slowed_others", nil, nil], codes
    assert_equal "slowed_others", found.tail.missing.code
  end

  # A commit must not escape its gates by taking a core all the time.
  test "gates of CPU time and memory are decided beside such a server, one of requests/s is not" do
    levels = { fails: 0.05, holds: 0.05 }
    gates = ["throughput > -9%", "cpu < +40%", "cpu < -5%", "memory < +5%"]
    found = comparison(LEAD, share: 1.02, metric: "throughput", gates:, levels:)

    assert_equal %w[inconclusive holds fails holds], found.gates.map(&:outcome)
    assert_equal "slowed_others", found.gates.first.finding.code
    refute_predicate found.verdict, :differs?
  end

  test "a look that was kept stays what it was" do
    kept = { cohorts: 3, differences: LEAD, totals: nil, bias: 0.001, taken: [0.02, 0.01],
             unwarmed: [0.0, 0.5], decision: "differs" }
    cohort = Mohs::Stored.cohort(CompareResult.new(LEAD).to_h[:cohorts].last).with(look: kept)
    metric = Mohs::Analysis::Metric.fetch("throughput")
    look = Mohs::Compare::Look.new([cohort], metric:, cut: ->(_) { flunk }, kept:,
                                                          test: Mohs::Stats::Sequential.new,
                                                          decide: ->(*) { flunk })

    assert_equal({ below: 0.021, above: 0.511 }, look.bias.to_h)
    assert_equal kept, look.to_h
  end
end
