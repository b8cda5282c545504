# frozen_string_literal: true

require "test_helper"

class ReproPairsTest < Mohs::TestCase
  Metric = Mohs::Analysis::Metric

  def analysis(rates)
    result = SampleResult.new(rates).to_h
    result[:run][:state] = "finished"
    yield result if block_given?
    Mohs::Stored.analysis(result)
  end

  def pairs(...) = Mohs::Repro::Pairs.new(analysis(...))

  OVERHEAD = { "a" => 1000, "b" => 4000, "c" => 1250, "d" => 5000 }.freeze

  test "overheads are differences of times, and their ratio has the rounds as its sample" do
    found = pairs(OVERHEAD)
    ratio = found.overheads(%w[a b], %w[c d])

    assert_in_delta 750, found.overhead_us(%w[a b]).value, 10
    assert_in_delta 600, found.overhead_us(%w[c d]).value, 10
    assert_equal [3, 3], [ratio.effect.count, found.overhead_us(%w[a b]).count]
    assert_in_delta 0.8, ratio.interval.value, 0.02
    assert ratio.interval.low.between?(0.75, 0.8)
    assert_in_delta 0.8, ratio.total_interval.value, 0.02
  end

  test "overheads of variants that were in different cohorts are related by their baselines" do
    apart = parted(OVERHEAD, [%w[a b], %w[a c d]])

    assert_equal 3, apart.overheads(%w[a b], %w[c d]).effect.count
    assert_in_delta 0.8, apart.overheads(%w[a b], %w[c d]).interval.value, 0.02
    assert_in_delta 600, apart.overhead_us(%w[c d]).value, 10
    assert_equal 0, apart.overheads(%w[a b], %w[c x]).effect.count
    assert_equal 0, apart.overhead_us(%w[x b]).count
  end

  test "overheads mean nothing where the times of requests don't" do
    found = pairs(OVERHEAD) do |result|
      trials = result[:cohorts].flat_map { |cohort| cohort[:trials] }
      trials.select { |trial| trial[:variant] == "c" }.each do |trial|
        trial[:checks] = [{ name: "driver_waits", ok: false, level: "ok",
                            code: "driver_waits.often", values: { share: 0.2, preempted: 1 } }]
      end
    end

    assert_equal "driver_waited", found.overheads(%w[a b], %w[c d]).fatal.code
    assert_nil found.overheads(%w[a b], %w[a d]).fatal
    assert_nil found.gains(Metric.fetch("throughput"), %w[a b], %w[c d]).fatal
  end

  # b is 4 times a, d is 5 times c.
  GAIN = { "a" => 1000, "b" => 4000, "c" => 1200, "d" => 6000 }.freeze

  # Each round in these cohorts.
  def parted(rates, parts)
    pairs(rates) do |result|
      result[:cohorts] = result[:cohorts].flat_map.with_index do |cohort, index|
        parts.each_with_index.map do |names, half|
          trials = cohort[:trials].select { |trial| names.include?(trial[:variant]) }
          { **cohort, position: (2 * index) + half, round: index + 1, trials: }
        end
      end
    end
  end

  test "the ratio of two gains is in the direction of the metric itself" do
    rate = pairs(GAIN).gains(Metric.fetch("throughput"), %w[b a], %w[d c])
    cpu = pairs(GAIN).gains(Metric.fetch("cpu"), %w[b a], %w[d c])

    assert_in_delta 1.25, rate.interval.value, 0.02
    assert_in_delta 0.8, cpu.interval.value, 0.02
    assert_equal 3, rate.effect.count
    assert_nil rate.fatal
    assert_in_delta 1.25, rate.total_interval.value, 0.02
    assert_in_delta 0.8, cpu.total_interval.value, 0.02
    assert_nil pairs(GAIN).gains(Metric.fetch("p50"), %w[b a], %w[d c]).total
  end

  test "gains of variants that were in different cohorts are related by their baselines" do
    throughput = Metric.fetch("throughput")
    apart = parted(GAIN, [%w[a b c], %w[a d]])

    assert_in_delta 1.25, apart.gains(throughput, %w[b a], %w[d c]).interval.value, 0.02
    assert_equal 0, apart.gains(throughput, %w[b a], %w[d x]).effect.count
  end
end
