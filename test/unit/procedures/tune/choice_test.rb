# frozen_string_literal: true

require "test_helper"

class TuneChoiceTest < Mohs::TestCase
  Tune = Mohs::Tune

  # name: "2x5". rate: [low, value, high].
  def setting(name, rate, megabytes = nil, boots: 3, **others)
    low, value, high = rate
    bytes = megabytes && (megabytes * 1e6)
    Tune::Result::Setting.new(name:, memory: interval(nil, bytes, nil),
                        rate: interval(low, value, high, count: boots), **others)
  end

  def interval(low, value, high, count: 3)
    value && Mohs::Stats::Interval.new(value:, low:, high:, count:)
  end

  # error: of the difference of two logarithms; nil: they were not compared.
  def choice(wanted = nil, settings = [], margin: 0.03, present: "yours", error: 0.001,
             bias: 0.0)
    slots = ->(name) { name.split("x").map(&:to_i).reduce(:*) }
    rates = settings.to_h { |one| [one.name, one.rate.value] }
    lead = lambda do |one, other|
      value = Math.log(rates.fetch(one).fdiv(rates.fetch(other)))
      Mohs::Stats::Effect.new(value:, error:, df: 8, count: 3, bias:) if error
    end
    Tune::Choice.new(margin:, wanted_per_s: wanted, present:, slots:, lead:)
  end

  def picked(settings, wanted = nil, **others)
    choice(wanted, settings, **others).call(settings)&.name
  end

  FAST = [["1x3", [290, 300, 310], 100], ["2x3", [590, 600, 610], 200],
          ["2x5", [600, 615, 630], 230]].freeze

  def fast = FAST.map { |one| setting(*one) }

  test "without a wanted rate the fastest, or one as fast that is cheaper" do
    assert_equal "2x3", picked(fast)
    assert_equal "2x5", picked(fast, margin: 0.01)
    assert_nil picked([])
    alike = [["2x5", 615, 104], ["2x2", 600, 106], ["2x1", 590, 100], ["2x3", 610, 120]]
            .map { |name, rate, megabytes| setting(name, [rate - 9, rate, rate + 9], megabytes) }
    assert_equal "2x2", picked(alike), "as fast, with about as little memory and fewer threads"
  end

  test "a cheaper one only if its rate is known well enough to be as fast" do
    assert_equal "2x3", picked(fast, error: 0.004)
    assert_equal "2x5", picked(fast, error: 0.005), "2.5 % less, of 3 %"
    assert_equal "2x5", picked(fast, error: nil), "one boot of each"
    bound = [setting("2x5", [600, 615, 630], 230, bound: true), *fast.first(2)]
    assert_equal "2x5", picked(bound), "it may serve far more"
  end

  # 0.138 less, of which the margin is 0.03.
  test "by the model a lead within a quarter of its error is no reason for more threads" do
    rates = [setting("2x2", [70, 147, 310], 156), setting("2x1", [72, 128, 230], 155),
             setting("1x5", [22, 45, 91], 102)]
    assert_equal %w[2x1 2x2 2x2], [0.44, 0.42, 0.1].map { |bias| picked(rates, bias:) }
    assert_equal "2x2", picked(rates, error: 0.5), "found by searches"
  end

  test "the present setting stays if it is as fast, unless another needs clearly less memory" do
    fewer = [setting("2x3", [590, 600, 610], 220), setting("2x5", [600, 615, 630], 230)]

    assert_equal %w[2x3 2x5], ["yours", "2x5"].map { |present| picked(fewer, present:) }
    assert_equal "2x5", picked(fewer.reverse, present: "2x3", error: 0.02), "not known well enough"
    assert_equal "2x3", picked(fast, present: "2x5"), "30 MB less"
    some = [setting("2x8", [600, 615, 630], 440), setting("2x5", [600, 610, 620], 390),
            setting("2x2", [600, 610, 620], 410)]
    assert_equal "2x2", picked(some, present: "2x8"), "2x5 needs 50 MB less"
    slower = [setting("2x8", [590, 604, 610], 222), *fewer]
    assert_equal "2x8", picked(slower, present: "2x8")
  end

  test "the cheapest that surely serves what is wanted" do
    assert_equal "1x3", picked(fast, 290)
    assert_equal "2x3", picked(fast, 291)
    assert_equal "2x5", picked(fast, 600)
  end

  test "where none surely does the fastest, whatever it needs" do
    assert_equal "2x5", picked(fast, 601)
    assert_equal "2x5", picked(fast, 9000)
  end

  test "memory that differs little decides nothing: then processes x threads do" do
    near = [setting("2x2", [400, 410, 420], 99), setting("1x3", [400, 410, 420], 101)]

    assert_equal "1x3", picked(near, 300)
    assert_equal "2x2", picked([near.first, setting("1x3", [400, 410, 420], 120)], 300)
    same = [setting("1x4", [400, 410, 420], 100), setting("2x2", [440, 450, 460], 100)]
    assert_equal "2x2", picked(same, 300), "the faster one"
  end

  test "memory that is not known is no cheaper than any" do
    settings = [setting("1x1", [400, 410, 420]), setting("2x3", [400, 410, 420], 500)]

    assert_equal "2x3", picked(settings, 300)
    assert_equal "1x1", picked([setting("1x2", [400, 410, 420]), settings.first], 300)
  end

  test "enough is sure, surely not, or not known" do
    { [400, 410, 420] => true, [350, 410, 470] => nil, [300, 310, 320] => false,
      [nil, 410, nil] => nil, [nil, 0.0, nil] => false }.each do |rate, wanted|
      found = choice(400).enough?(setting("1x1", rate))
      wanted.nil? ? assert_nil(found, rate) : assert_equal(wanted, found, rate)
    end
    assert_nil choice(400).enough?(setting("1x1", [300, 310, nil], bound: true))
    assert_nil choice(400).enough?(setting("1x1", [nil, nil, nil]))
    assert_nil choice.enough?(setting("1x1", [400, 410, 420]))
  end

  test "nothing is sure by one boot" do
    assert_nil choice(400).enough?(setting("1x1", [500, 510, 520], boots: 1))
    assert_nil choice(400).enough?(setting("1x1", [300, 310, 320], boots: 1))
    assert_nil choice(400).enough?(setting("1x1", [nil, 0.0, nil], boots: 1)), "it held at no rate"
    both = [setting("1x1", [500, 510, 520], 100, boots: 1), setting("2x1", [600, 610, 620], 200)]
    assert_equal "2x1", picked(both, 400)
  end

  test "searches that were too short find rates that are too high: never surely enough" do
    found = [[500, 510, 520], [300, 310, 320]].map do |rate|
      choice(400).enough?(setting("1x1", rate, short: true))
    end
    assert_equal [nil, false], found
  end

  test "all in their order, the cheapest first" do
    names = choice(1).cheapest_first(fast.reverse).map(&:name)

    assert_equal %w[1x3 2x3 2x5], names
  end
end
