# frozen_string_literal: true

require "test_helper"

class TuningModelledRatesTest < Mohs::TestCase
  include Mohs::Tuned

  Tune = Mohs::Tune

  SHAPES = { "1x5" => [1, 5], "2x1" => [2, 1], "2x5" => [2, 5], "2x3" => [2, 3] }.freeze
  BUSY = { "1x5" => 61.0, "2x1" => 124.0, "2x5" => 123.0, "2x3" => 125.0 }.freeze

  # Found by no search.
  class Unsearched
    def found(_name) = []

    def broke?(_name) = false
  end

  def modelled(rounds, searched: Unsearched.new, text: "p99 < 200ms",
               service: Tune::ServiceTimes.constant(0.0163))
    Tune::ModelledRates.new(
      rounds, names: SHAPES.keys, shapes: SHAPES, limit: Mohs::Load::Limit.parse(text),
              present: "1x5", searched:, services: ->(_) { service }
    )
  end

  # Requests of 16.3 ms; 1x1 did not race, or its latencies are unknown.
  test "it is relied on only for known service times, and limits of twice the longest" do
    limits = ["p99 < 200ms", "p50 < 33ms", "p99 < 32ms", "p90 < 10ms"]
    assert_equal [true, true, false, false],
                 limits.map { |text| modelled([BUSY], text:).reliable? }
    refute_predicate modelled([BUSY], service: nil), :reliable?
  end

  def rounds(count, noise, standard_deviation)
    Array.new(count) { BUSY.transform_values { _1 * Math.exp(standard_deviation * noise.normal) } }
  end

  # What servers serve that work as this says, and what such a tuning says of them.
  test "the intervals of rates and of the gain hold, however a server works, over many tunings" do
    limit = Mohs::Load::Limit.parse("p99 < 200ms")
    queue = ->(**of) { Tune::QueueModel.new(**of).utilisation(limit) }
    constant = ->(servers, per_s) { Tune::ServiceTimes.constant(servers / per_s) }
    truths = [
      { "1x5" => queue.(service: constant.(1, 61.0)),
        "2x1" => queue.(service: constant.(2, 124.0), servers: 2) },
      { "1x5" => queue.(service: constant.(1, 61.0), shared: 5),
        "2x1" => 0.88 * queue.(service: constant.(1, 62.0)) },
      { "1x5" => queue.(service: constant.(1, 61.0)),
        "2x1" => queue.(service: constant.(1, 62.0)) },
    ]
    missed = Hash.new(0)
    40.times do |seed|
      found = modelled(rounds(3 + (seed % 3), Noise.new(seed), 0.05))
      gain = found.gain(found_setting("2x1")).interval
      truths.each do |truth|
        rates = truth.to_h { |name, share| [name, share * BUSY[name]] }
        missed[:rate] += rates.count { |name, rate| !covers?(found.rate(name), rate) }
        missed[:gain] += 1 unless covers?(gain, rates["2x1"] / rates["1x5"])
      end
    end

    assert_operator missed[:rate], :<=, 0.05 * 240
    assert_operator missed[:gain], :<=, 0.05 * 120
  end

  def found_setting(name) = Tune::Result::Setting.new(name:, bound: false)

  def covers?(interval, value) = (interval.low..interval.high).cover?(value)

  # A server that is 10 % slower has 10 % less, and a smaller share of it to spare.
  test "the error of the rate with all threads busy counts twice" do
    rounds = [0.9, 1.0, 1.1].map { |factor| BUSY.transform_values { |rate| rate * factor } }
    found = modelled(rounds, text: "p99 < 40ms")
    busy = Mohs::Stats::RoundMeans.new(rounds.map { |one| one.transform_values { Math.log(_1) } })
                                  .interval("2x1", level: 0.9875)
    share = found.share("2x1")

    assert_operator found.rate("2x1").low, :<, 0.95 * Math.exp(busy.low) * share.low
    assert_operator found.rate("2x1").high, :>, 1.05 * Math.exp(busy.high) * share.high
  end

  test "twice as many processes are decided, more threads under a lock are not" do
    found = modelled(rounds(4, Noise.new(1), 0.02))

    assert_operator found.gain(found_setting("2x1")).interval.low, :>, 1.25
    beside = found.ratio("2x1", "2x5")
    assert(beside.low < 1 && beside.high > 1)
    assert_equal found.marks["2x1"], found.marks["2x5"]
    refute_equal found.marks["2x1"], found.marks["1x5"]
    assert_operator found.rate("2x1").value, :>, found.rate("2x5").value
  end

  # One found so much.
  Searched = Struct.new(:name, :low, :high, :needed_s, :outcome) do
    def broke?(_name) = false

    def found(name)
      outcome = self.outcome || "found"
      name == self.name ? [{ outcome:, low:, high:, needed_s:, searched_s: 100 }] : []
    end
  end

  test "a search that was long enough and lies outside contradicts the model" do
    rounds = rounds(4, Noise.new(1), 0.02)
    found = [[20.0, 30.0, 150], [95.0, 105.0, 150], [20.0, 30.0, 250]]
    outside, inside, short = found.map do |one|
      modelled(rounds, searched: Searched.new("2x1", *one))
    end

    assert_equal [%w[2x1], [], []], [outside, inside, short].map(&:contradicted)
    assert_equal [1, 1, 0], [outside, inside, short].map { |one| one.checks("2x1").size }
    others = [[2.0, 5.0, 150, "none"], [130.0, 140.0, 150, "at_least"],
              [20.0, 30.0, 150, "at_least"], [nil, nil, 150, "spoiled"]].map do |one|
      modelled(rounds, searched: Searched.new("2x1", *one)).contradicted
    end
    assert_equal [%w[2x1], %w[2x1], [], []], others
  end

  test "a tuning without time for searches has its rates from the model, and says that it has" do
    found = tuning(SPEEDS, rounds: 6, budget_s: 130)

    assert_equal ["2x3", "modelled", true, :equal],
                 [found.recommended.name, found.recommended.state, found.modelled?,
                  found.race_ended]
    share, rate = found.recommended.share, found.recommended.rate
    assert_in_delta rate.value, share.value * found.recommended.busy.value, 1
    assert_operator found.recommendation.gain.low, :>, 1
    assert_nil found.rates.boots_so_far
    assert_nil found.recommendation.further
    refute tuning(SPEEDS, rounds: 6, searched: SEARCHED).modelled?
  end

  test "a contradicted model recommends nothing, and the caution says why" do
    low = SampleTuning.found(300.0, searched_s: 100.0, needed_s: 100.0)
    found = tuning(SPEEDS, rounds: 6, searched: { "2x3" => low, "yours" => low }, searches: 1)

    refute found.modelled?
    assert_equal "searched", found.recommended.state
    told = found.cautions.find { |one| one.code == "tune_model_contradicted" }
    assert_equal ["2x3", 300.0], told.values.values_at(:name, :rate_per_s)
  end
end
