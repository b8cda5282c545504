# frozen_string_literal: true

require "test_helper"

# What accounts for a difference, in words.
class CausesTemplatesTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-causes"

  Causes = Mohs::Report::Templates::Causes
  Explanation = Mohs::Analysis::Explanation

  def text(...) = Mohs::Report::Render.text(...)

  def cause(name, change, **more)
    unit = Explanation::Costs.unit(name.to_sym)
    { name:, unit:, change:, a: 1.0, b: 1.0 + change, ratio: nil, share: nil, **more }
  end

  OFF_ON = [["off"], ["yjit"]].freeze

  test "every figure has a title" do
    assert_empty Explanation::FAMILIES.flatten.map(&:to_s) - Causes::TITLES.keys
  end

  test "an amount has the unit that it is read in" do
    { [41_300, "ns_per_request"] => "41 µs", [1_240_000, "ns_per_request"] => "1.2 ms",
      [0.053, "count_per_request"] => "0.053", [1204.4, "count_per_request"] => "1 204",
      [1_900_000, "bytes"] => "1.9 MB", [5, "count"] => "5", [1.87, "cores"] => "1.9",
      [2400.2, "bytes_per_request"] => "2.4 kB", [0.0, "count"] => "0",
      [1.3e-05, "count_per_request"] => "0.000013", [9.21e-05, "count_per_request"] => "0.000092" }
      .each { |amount, expected| assert_equal expected, Causes.amount(*amount) }
    assert_equal %w[-41\ µs +0.5],
                 [Causes.change(cause("gc_time_ns", -41_000.0)),
                  Causes.change(cause("minor_faults", 0.5))]
  end

  test "an interval is in the unit of its change" do
    assert_equal "[-44, -38]", Causes.interval({ unit: "ns_per_request", change: -41_000.0,
                                                 interval: [-44_000.0, -38_000.0] })
    assert_equal "[-0.1, 2.5]", Causes.interval({ unit: "ns_per_request", change: 1_200_000.0,
                                                  interval: [-100_000.0, 2_500_000.0] })
    assert_nil Causes.interval({ unit: "count", change: 1.0, interval: nil })
  end

  test "parts of CPU time are named with their shares, and what moved with them" do
    parts = [cause("gc_time_ns", -41_000.0, share: 0.82), cause("system_ns", -6000.0, share: 0.12)]
    beside = [cause("allocated_objects", -250.0, ratio: 0.37)]

    assert_said(text("why_cpu", ratio: 0.74, parts:, rest: nil, beside:, jits: OFF_ON))
    assert_said(text("why_cpu", ratio: 0.74, parts:, rest: 0.06, beside:, jits: OFF_ON))
  end

  test "parts that work against each other have no shares" do
    parts = [cause("code_ns", -149_000.0, share: 3.0), cause("gc_time_ns", 1e5, share: -2.0)]

    assert_said(text("why_cpu", ratio: 0.88, parts:, rest: nil, beside: [], jits: OFF_ON))
  end

  test "parts that add up to more than the whole have no shares" do
    gc, kernel, code = %w[gc_time_ns system_ns code_ns].map { |name| cause(name, 1e5, share: 0.6) }
    both, others = [[gc, kernel], [gc, code]].map { |parts| Causes.parts(parts) }

    assert_said(both)
    assert_said(others)
  end

  # A part that did not move beyond chance is taken off the rest, but not named.
  test "shares that are more than the whole with the rest are not told, nor is that of the rest" do
    parts = [cause("gc_time_ns", 23_000.0, share: 0.25)]
    against = [cause("gc_time_ns", 3e4, share: 0.5), cause("system_ns", -69_000.0, share: -1.5)]
    texts = [[parts, 1.08], [against, 1.96]].map do |each, share|
      text("why_cpu", ratio: 1.065, parts: each, rest: share, beside: [], jits: OFF_ON)
    end

    assert_said(*texts)
  end

  test "a rest of unknown share is told without it" do
    parts = [cause("gc_time_ns", 23_000.0, share: 0.25)]

    assert_said(text("why_cpu", ratio: 1.065, parts:, rest: nil, rest_unknown: true, beside: [],
      jits: OFF_ON))
  end

  test "only what a collection spends in the kernel is in both parts" do
    both, others = [true, false].map { |both| text("explain_beyond", both:) }

    assert_said(both, others)
  end

  test "compiled code is named by its JIT" do
    parts = [cause("code_ns", -171_000.0, share: 0.85)]
    beside = [cause("jit_code_bytes", 1.9e6, a: 0, b: 1_900_000)]
    [OFF_ON, OFF_ON.reverse, [["yjit"], ["yjit"]], [["rjit"], ["yjit"]], [["off"], [nil]]]
      .each do |jits|
      assert_said(text("why_cpu", ratio: 0.7, parts:, rest: nil, beside:, jits:))
    end
  end

  test "what nothing explains says where the time went" do
    where = cause("code_ns", 171_000.0, share: 0.97)

    assert_said(text("why_unexplained", ratio: 1.31, where:, beside: []))
    assert_said(text("why_unexplained", ratio: 1.31, where: nil, beside: []))
  end

  test "where one side alone has a JIT that is the reason, whatever a few cohorts show of parts" do
    where = cause("code_ns", -4_600_000.0, share: 0.99)

    assert_said(text("why_unexplained", ratio: 0.44, where:, beside: [], jits: OFF_ON))
    assert_said(text("why_unexplained", ratio: 1.66, where: nil, beside: [],
      jits: OFF_ON.reverse))
  end

  test "parts without shares are named with what they changed by" do
    assert_includes text("why_cpu", ratio: 0.74, parts: [cause("gc_time_ns", -41_000.0)], rest: nil,
                                    beside: [], jits: OFF_ON),
                    "CPU a request -26 %: garbage collection -41 µs"
  end

  test "CPU time that works against the difference is no reason for it" do
    assert_said(text("why_against", ratio: 0.74))
  end

  test "where neither CPU time nor cores differ, it says what does" do
    none, some = [[], [cause("minor_faults", 7.8, ratio: 27.0, a: 0.3, b: 8.1)]].map do |beside|
      text("why_not_measured", cores: false, beside:)
    end

    assert_said(none)
    assert_equal "#{none}; what does differ: minor page faults 0.3 -> 8.1", some
    assert_operator text("why_not_measured", cores: true, beside: []), :end_with?, "beyond chance"
  end

  test "cores are named with what requests waited for" do
    cores = cause("cores_busy", 0.9, a: 0.95, b: 1.87)
    gvl = cause("gvl_wait_ns", -1_200_000.0)
    values = { share: 0.98, cores:, workers: [[1], [2]], waits: [gvl], beside: [] }

    assert_said(text("why_cores", **values))
    assert_said(text("why_cores", **values, workers: [[2], [2]], waits: []))
    assert_said(text("why_cores", **values, workers: [[2], [2]], waits: [], share: 0.43,
      beside: [cause("system_ns", -6e5, ratio: 0.28)]))
  end

  test "findings make one sentence" do
    one = Mohs::Analysis::Finding.note("why_not_measured", cores: true, beside: [])

    assert_match(/\Anot yet explained: .*; and not yet explained: /, Causes.sentence([one, one]))
    assert_nil Causes.sentence([])
  end

  test "a wait while cores could be had is a share of the latency" do
    part = cause("other_wait_ns", 9_500_000.0, share: 0.92)

    assert_said(text("why_waiting", ratio: 2.4, part:))
  end
end
