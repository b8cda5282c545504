# frozen_string_literal: true

require "test_helper"
require_relative "../../../examples/check_examples"

# Which self-checks apply to a load by itself.
class LoadSelfChecksTest < Mohs::TestCase
  Checks = Mohs::Analysis::Checks
  FACTS = Mohs::CheckExamples::FACTS.slice(:slices, :recorded, :threads, :connections, :arrivals)

  def found(...) = Mohs::LoadRun::SelfChecks.of(...).map(&:member)

  test "those that apply to loads and can decide by its facts, in their order" do
    findings = Checks.names.map { |name| Checks.fetch(name).new.call(FACTS) }
    deciding = findings.reject { |one| one.severity == :unknown }.map(&:member)

    assert_equal deciding - %w[errors held trend], found(FACTS)
    assert_empty %w[arrivals counts driver_share driver_waits event_age little_law] - found(FACTS)
    refute_includes found(FACTS), "headroom", "what it needs is not among these facts"
    assert_equal %w[counts], found(FACTS, %w[counts trend steady])
  end

  test "its errors are reported apart, and its steps differ by their rates" do
    slice = FACTS[:slices].first
    failed = { slices: [slice.merge(block: 0, sent: 100, good: 50, errors: { "timeout" => 50 })] }
    slower = (1..20).map { |at| slice.merge(block: 0, latency_sum_ns: at * 1_000_000) }
    facts = { "errors" => failed, "trend" => { slices: slower } }

    facts.each do |name, of_load|
      refute_includes %i[ok unknown], Checks.fetch(name).new.call(of_load).severity, name
      assert_empty found(of_load, [name])
    end
  end
end
