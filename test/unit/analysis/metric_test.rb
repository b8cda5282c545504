# frozen_string_literal: true

require "test_helper"

class ComparisonMetricTest < Mohs::TestCase
  Metric = Mohs::Analysis::Metric

  def pair(**options)
    Mohs::Stored.comparison(CompareResult.new([0.2], **options).to_h).pairs.first
  end

  test "each is found by its name and by what else people call it" do
    assert_equal %w[throughput cpu p50 memory boot], Metric::ALL.map(&:name)
    assert_equal(%w[throughput throughput p50],
                 %w[rps requests/s latency].map { |name| Metric.fetch(name).name })
  end

  test "of throughput alone more is better" do
    assert_equal %w[throughput], Metric::ALL.select(&:more).map(&:name)
  end

  test "an unknown one is told with the list, or the nearest" do
    far, near = %w[zzz trouhgput].map do |name|
      assert_raises(Mohs::UsageError) { Metric.fetch(name) }.message
    end
    assert_equal 'unknown metric "zzz". Known: throughput, cpu, p50, memory, boot.', far
    assert_equal 'unknown metric "trouhgput". Did you mean throughput?', near
  end

  test "a row of a document has an estimate of each, or a percentile of all requests" do
    row = { throughput_per_s: { value: 9 }, latency_ms: { p50: 1, p99: 4 },
            boot_ms: { value: nil } }
    named = ->(name) { Metric.fetch(name, Metric::TAIL).of_row(row) }

    assert_equal [9, 1, 4, nil, nil], %w[throughput p50 p99 boot memory].map(&named)
  end

  test "differences are B - A, better is bigger, for each" do
    facts = lambda do |trial, name, _|
      next unless name == "b"

      trial[:boot_ns] = 600_000_000
      trial[:facts] = trial[:facts].merge(memory: { at_end: { pss_bytes: 14_000_000 } })
    end
    found = pair(trial: facts)
    result = Metric::ALL.to_h { |metric| [metric.name, found.difference(metric)] }

    %w[throughput cpu p50].each { |name| assert_in_delta 0.2, result[name], 1e-4, name }
    assert_in_delta Math.log(2), result["memory"], 1e-9
    assert_in_delta(-Math.log(2), result["boot"], 1e-9)
  end

  test "of slices the difference is that of blocks: one pause in a cohort does not move it" do
    pause = lambda do |slice, name, index, _|
      %i[wall_ns cpu_ns p50_ns].each { |key| slice[key] *= 9 } if name == "b" && index == 8
    end
    drift = ->(slice, _, index, _) { slice[:wall_ns] = (slice[:wall_ns] * (1.1**index)).round }

    %w[throughput cpu p50].each do |name|
      assert_in_delta 0.2, pair(slice: pause).difference(Metric.fetch(name)), 1e-4, name
    end
    assert_in_delta 0.2, pair(slice: drift).difference(Metric.fetch("throughput")), 1e-4
  end

  # In every trial of these variants, so many of ten blocks without an answer.
  def silent(counts)
    lambda do |slice, name, *|
      slice.merge!(good: 0, p50_ns: nil) if slice[:block] && slice[:block] < counts.fetch(name, 0)
    end
  end

  test "a block without an answer ranks worst: of ten blocks two are trimmed away, whoever's" do
    [{ "b" => 2 }, { "a" => 2 }, { "a" => 1, "b" => 2 }].each do |counts|
      found = pair(slice: silent(counts))
      %w[throughput cpu p50].each do |name|
        assert_in_delta 0.2, found.difference(Metric.fetch(name)), 1e-4, counts
      end
    end
  end

  # Between the other blocks nothing is left of it: B stands better where its bad blocks are gone.
  test "a silent block counts against its side" do
    uneven = lambda do |slice, name, _index, _cohort|
      slice[:wall_ns] = (slice[:wall_ns] * (1 + (0.1 * slice[:block].to_i))).round if name == "b"
    end
    both = ->(*facts) { [uneven, silent("b" => 1)].each { |change| change.call(*facts) } }
    plain, one = [uneven, both].map { |slice| pair(slice:).difference(Metric.fetch("throughput")) }

    assert_operator one, :<, plain
  end

  test "one cohort with more of them is the result: it says who was silent" do
    { "b" => "B", "a" => "A" }.each do |name, side|
      found = Mohs::Stored.comparison(CompareResult.new([0.2], slice: silent(name => 3)).to_h)

      assert_equal [[], :invalid], [found.pairs, found.state]
      assert_equal ["side_silent", side], [found.fault.code, found.fault.subject]
      assert_equal name, found.fault.values[:variant]
    end
  end

  test "what one server did not record has no difference" do
    without = ->(trial, name, _) { trial[:facts] = trial[:facts].except(:memory) if name == "a" }
    without_cpu = ->(slice, name, *) { slice[:cpu_ns] = nil if name == "b" }

    assert_nil pair(trial: without).difference(Metric.fetch("memory"))
    assert_nil pair(slice: without_cpu).difference(Metric.fetch("cpu"))
    assert pair(slice: without_cpu).difference(Metric.fetch("throughput"))
  end
end
