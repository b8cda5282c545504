# frozen_string_literal: true

require "test_helper"

class TuneWaitingTest < Mohs::TestCase
  include Mohs::Tuned

  test "what a request waits follows from one process of one thread" do
    found = tuning.waiting

    assert_in_delta 0.1, found.share, 0.02 # SampleResult: 90 % of the clock is CPU time
    assert_in_delta 1 / (1 - found.share), found.fit, 1e-9
    assert_nil tuning(SPEEDS.except("1x1")).waiting
  end

  # The facts of its trials changed.
  def changed(hash, names, attested: {}, **facts)
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      next unless names.include?(trial[:variant])

      own = { **trial[:facts][:attested], **attested }
      trial[:facts] = { **trial[:facts], **facts, attested: own }
    end
    Mohs::Stored.analysis(hash).result
  end

  test "without a GVL a process computes on all cores that it may use" do
    attested = { engine: "jruby" }
    made = ->(**rules) { SampleTuning.new(SPEEDS, shapes: SHAPES, **rules).to_h }
    found = changed(made.(), SPEEDS.keys, attested:, cores: 4).waiting

    assert_in_delta 4 / 0.9, found.fit, 0.1
    refute found.hardly
    cgroup = { cores: 2.0, memory_bytes: nil, processes: 2 }
    quota = changed(made.(cgroup:), SPEEDS.keys, attested:, cores: 4).waiting
    assert_in_delta 2 / 0.9, quota.fit, 0.1
  end

  test "what a request waits is that of the recommended setting's Ruby" do
    hash = SampleTuning.new({ **SPEEDS, "3.4, 1x1" => 100.0 },
                            shapes: { **SHAPES, "3.4, 1x1" => [1, 1] }).to_h
    hash[:run][:study][:variants].last[:flags] = ["--yjit"]
    cost = ->(slice) { { **slice, cpu_ns: slice[:cpu_ns] / 5 } }
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:slices] = trial[:slices].map(&cost) if trial[:variant] == "3.4, 1x1"
    end

    assert_in_delta 0.1, Mohs::Stored.analysis(hash).result.waiting.share, 0.02
  end
end
