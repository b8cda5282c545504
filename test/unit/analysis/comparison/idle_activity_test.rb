# frozen_string_literal: true

require "test_helper"

# What a server took of the other's cores while that one was measured.
class ComparisonIdleActivityTest < Mohs::TestCase
  LEAD = [0.031, 0.03, 0.029].freeze
  EVEN = [0.0002, 0.0, -0.0002].freeze

  def comparison(differences, share: 0.0, variant: "b", cores: 1, **rules)
    taking = lambda do |trial, name, _|
      busy = name == variant
      trial[:checks] = [{ name: "idle", ok: !busy, level: "ok", code: "idle.quiet",
                          values: { share: busy ? share : 0.0 } }]
      trial[:cores] = cores
    end
    Mohs::Stored.comparison(CompareResult.new(differences, comparison: rules, trial: taking).to_h)
  end

  def line(comparison, name) = comparison.lines.find { |one| one.metric.name == name }

  test "a lead that it may explain decides nothing, and a larger one does" do
    decided = [0.0, 0.02, 0.05].map { |share| comparison(LEAD, share:).decided }

    assert_equal %i[differs differs continue], decided
    assert_equal :differs, comparison(LEAD, share: 0.05, cores: 8).decided
    assert_equal :continue, comparison(LEAD.map(&:-@), share: 0.05, variant: "a").decided
  end

  test "a lead is not void because of it: it goes on, and further cohorts change nothing of it" do
    found = comparison(LEAD * 2, share: 0.05)

    assert_equal [[:continue] * 4, nil], [found.looks.map(&:decision), found.fault]
    assert_equal [-Math.log(0.95)], found.looks.map(&:bias).uniq
  end

  test "two are equal only if that would not lead out of the margin" do
    assert_equal %i[equivalent continue],
                 [0.0, 0.011].map { |share| comparison(EVEN, share:).decided }
  end

  test "the interval of each metric that it makes worse is wider, p99 included" do
    free, busy = [0.0, 0.1].map { |share| comparison(LEAD, share:) }
    wider = %w[throughput p50 cpu memory].to_h do |name|
      [name, Math.log(line(busy, name).high / line(free, name).high).round(9)]
    end
    lost = -Math.log(0.9).round(9)

    assert_equal({ "throughput" => lost, "p50" => lost, "cpu" => 0.0, "memory" => 0.0 }, wider)
    assert_in_delta lost, Math.log(busy.tail.high / free.tail.high), 1e-8
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

  test "a gate on CPU time is open to a verdict beside such a server, one on requests/s is not" do
    levels = { fails: 0.05, holds: 0.05 }
    gates = ["cpu < +9%", "throughput > -9%"]
    found = comparison(LEAD, share: 1.02, metric: "cpu", gates:, levels:)

    assert_equal [["holds", "gate_interval"], ["inconclusive", "slowed_others"]],
                 found.gates.map { |gate| [gate.outcome, gate.finding.code] }
  end
end
