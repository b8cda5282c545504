# frozen_string_literal: true

require "test_helper"

# What adjusting for core speed changed, and where it may be wrong.
class ComparisonAdjustedTest < Mohs::TestCase
  DIFFERENCES = [0.001, 0.003, -0.001, 0.002].freeze
  PULSE = { pace_ns: 800.0, memory_ns: 4500.0 }.freeze

  # Each slice takes longer by as much as its core is slow. own: the pieces of work take so much
  # longer beside B, whatever its core does.
  def restless(sd: 0.01, own: 0.0)
    noise = Noise.new(5)
    lambda do |slice, name, *|
      slow = sd * noise.normal
      slice[:wall_ns] = (slice[:wall_ns] * Math.exp(slow)).round
      seen = slow + (name == "b" ? own : 0.0)
      slice[:facts] = { pulse: PULSE.transform_values { |time| time * Math.exp(seen) } }
    end
  end

  def document(slice) = Mohs::Stored.document(CompareResult.new(DIFFERENCES, slice:).to_h)

  def codes(document) = document[:verdict][:findings].map { |finding| finding[:code] }

  def throughput(document) = document[:metrics].first

  test "the effect is in the document before and after the adjustment" do
    found = document(restless(sd: 0.1))
    raw, adjusted = [throughput(found)[:raw], throughput(found)].map { |one| one[:interval] }

    widths = [raw, adjusted].map { |low, high| Math.log(high / low) }
    assert_operator widths.first, :>, 2.5 * widths.last
    seen = found[:observations].map { |one| one.values_at(:raw, :differences) }
    key = :throughput_per_s
    seen.each { |one, other| refute_in_delta one[key], other[key], 1e-4 }
    assert_equal seen.map { |one, _| one[:memory_bytes] }, seen.map { |_, one| one[:memory_bytes] }
  end

  test "what was not adjusted has no effect before it" do
    plain = document(nil)

    assert_equal [nil], plain[:metrics].map { |metric| metric[:raw] }.uniq
    assert_equal [{ pace_ns: nil, memory_ns: nil }],
                 plain[:observations].map { |one| one[:core_speed] }.uniq
    assert_empty codes(plain)
  end

  # On a quiet host it would remove nothing, and only add what it may be biased by.
  test "nothing is adjusted where the speed of the cores hardly moves a slice" do
    found = document(restless(sd: 0.001, own: 0.006))

    assert_nil throughput(found)[:raw]
    assert_equal [0.0], found[:looks].map { |look| look[:bias] }.uniq
    assert_operator document(restless(sd: 0.1))[:looks].last[:bias], :>, 0.006
  end

  # Slopes of about one each: both pieces of work follow the core alike here.
  test "each end of an adjusted interval is further out by what the adjustment may be biased by" do
    look = document(restless(sd: 0.1))[:looks].last
    chance = Mohs::Stats::Sequential.new.half_width(look[:differences])

    assert_in_delta chance + look[:bias], Math.log(look[:interval].last / look[:effect]), 1e-12
  end

  test "an adjustment within the interval is nothing to be told" do
    assert_empty codes(document(restless))
  end

  # B seems faster than it is, for nothing, and every cohort says so again.
  test "one that moves the result by more than half the interval is told with the raw result" do
    found = document(restless(sd: 0.055, own: 0.3))
    told = found[:verdict][:findings].to_h { |finding| [finding[:code], finding] }

    assert_empty %w[adjustment_moves core_speed_differs] - told.keys
    assert_in_delta throughput(found)[:raw][:effect], told["adjustment_moves"][:values][:effect]
    assert_match(/\Awithout adjusting .*, requests\/s [+-]\d.* % \[.*\]\z/,
                 told["adjustment_moves"][:text])
    assert_match(/\Abeside B .*core \d+ % slower, .*memory \d+ % slower /,
                 told["core_speed_differs"][:text])
    ratios = told["core_speed_differs"][:values][:differing].map { |one| one[:ratio] }
    ratios.each { |ratio| assert_in_delta Math.exp(0.3), ratio, 0.06 }
  end

  test "the screen has both notes" do
    screen = Mohs::Report::Terminal.new(style: Mohs::Report::Terminal::Style.new(width: 200))
                                   .call(document(restless(sd: 0.055, own: 0.3)))

    assert_match(/^note +without adjusting .*requests/, screen)
    assert_match(/^note +beside B .*core/, screen)
  end

  test "equal is shown with the interval of its test, in the document and on the screen" do
    found = Mohs::Stored.document(CompareResult.new([0.005, -0.005, 0.005, -0.005, 0.0]).to_h)
    verdict = found[:verdict]
    low, high = verdict[:equal_interval]

    assert_equal "equivalent", verdict[:outcome]
    assert_operator verdict[:interval].last, :>, 1.01, "the other test's is wider than the margin"
    assert_operator low, :>, 1 / 1.01
    assert_operator high, :<, 1.01
    assert_equal [low, high], throughput(found)[:equal_interval]
    bounds = [low, high].map { |ratio| format("%.1f", (ratio - 1) * 100) }.join(", ")
    assert_includes verdict[:text], "[#{bounds}]"
    assert_includes found[:sentence], "[#{bounds}]"
  end
end
