# frozen_string_literal: true

require "test_helper"

# What the load driver says against itself.
class DriverChecksTest < Mohs::TestCase
  include Mohs::CheckHelper

  SLICE = { block: 0, sent: 1000, good: 1000, errors: {}, wall_ns: 10_000_000_000,
            latency_sum_ns: 398_000_000, driver_cpu_ns: 2_000_000_000,
            pulse: Mohs::DRIVER_PULSE }.freeze

  def find(name, slice: {}, pulse: {}, **facts)
    slice = SLICE.merge(slice)
    slice = slice.merge(pulse: slice[:pulse].merge(pulse)) if slice[:pulse]
    check(name, { threads: 1, slices: [slice], **facts })
  end

  test "a driver at its limit in a hundredth of the windows warns" do
    assert_found :ok, :free, find("driver_share", pulse: { busy: 2, full: 2 })
    assert_found :warn, :full_at_times, find("driver_share", pulse: { busy: 3, full: 3 }),
                 count: 3, windows: 100, bound: 0.85
    long = { windows: 36_000, busy: 360, full: 360 }
    assert_found :ok, :free, find("driver_share", pulse: long)
    assert_found :warn, :full_at_times, find("driver_share", pulse: long.merge(full: 361))
    assert_found :warn, :busy_at_times, find("driver_share", pulse: { busy: 5 }), count: 5,
                                                                                 bound: 0.5
    assert_found :ok, :free, find("driver_share", pulse: { windows: 2, busy: 2, full: 2 })
  end

  test "what is busy on the whole says so first, and one that spins always is" do
    whole = { driver_cpu_ns: 6_000_000_000 }
    assert_found :warn, :busy, find("driver_share", slice: whole, pulse: { busy: 99 }), share: 0.6
    spins = find("driver_share", slice: { driver_cpu_ns: 9_900_000_000 }, pulse: { spins: true })
    assert_found :unknown, :spins, spins
  end

  test "a driver of which nothing else is known is judged by the whole" do
    assert_found :ok, :free, find("driver_share", slice: { pulse: nil }), share: 0.2
    assert_found :unknown, :unmeasured, find("driver_waits", slice: { pulse: nil })
    assert_found :unknown, :unread, find("event_age", slice: { pulse: nil })
  end

  test "a driver that waits for its core warns, where it matters" do
    assert_found :ok, :seldom, find("driver_waits"), share: 0.003, preempted: 7
    kept = find("driver_waits", pulse: { waited_ns: 2_000_000_000 })
    assert_found :warn, :often, kept, share: 0.2
    idle = { driver_cpu_ns: 100_000_000 }
    assert_found :ok, :seldom, find("driver_waits", slice: idle, pulse: { waited_ns: 100_000_000 })
    assert_found :warn, :often, find("driver_waits", slice: idle, pulse: { waited_ns: 101_000_000 })
    assert_found :ok, :seldom, find("driver_waits", pulse: { waited_ns: 500_000_000 }), share: 0.05
    assert_found :warn, :often, find("driver_waits", pulse: { waited_ns: 510_000_000 })
  end

  test "nothing is said of waits that are not known, or by design" do
    assert_found :unknown, :uncounted, find("driver_waits", pulse: { waited_ns: nil })
    shared = find("driver_waits", pulse: { waited_ns: 5_000_000_000 }, apart: false)
    assert_found :unknown, :shared_core, shared
    assert_found :unknown, :shared_core,
                 find("event_age", pulse: { age_sum_ns: 90_000_000 }, apart: false)
    assert_found :unknown, :unmeasured, find("driver_waits", slice: { block: nil })
  end

  test "what the hypervisor took warns, also where the kernel counts no waits" do
    [{ steal_share: 0.02, waited_ns: nil }, { steal_share: 0.02 }].each do |pulse|
      assert_found :warn, :stolen, find("driver_waits", pulse:), share: 0.02
    end
    both = { steal_share: 0.02, waited_ns: 2_000_000_000 }
    assert_found :warn, :often, find("driver_waits", pulse: both)
    assert_found :ok, :seldom, find("driver_waits", pulse: { steal_share: 0.01 })
    assert_found :warn, :stolen, find("driver_waits", pulse: { steal_share: 0.0105 })
    unknown = find("driver_waits", pulse: { steal_share: nil, waited_ns: nil })
    assert_found :unknown, :uncounted, unknown
  end

  test "steal is weighed by the slices' time" do
    slices = [[1_000_000_000, 0.5], [9_000_000_000, 0.0]].map do |wall_ns, steal_share|
      SLICE.merge(wall_ns:, pulse: SLICE[:pulse].merge(steal_share:))
    end
    assert_found :warn, :stolen, check("driver_waits", { threads: 1, slices: }), share: 0.05
  end

  test "a driver that stood still for more than 20 ms warns" do
    assert_found :ok, :none, find("driver_stalls"), longest_ns: 800_000
    assert_found :ok, :none, find("driver_stalls", pulse: { gap_max_ns: 20_000_000 })
    stood = { gap_max_ns: 2_000_000_000, stalls: 3, stalled_ns: 2_500_000_000 }
    assert_found :warn, :stood_still, find("driver_stalls", pulse: stood),
                 count: 3, longest_ns: 2_000_000_000, share: 0.25
    assert_found :warn, :stood_still, find("driver_stalls", threads: 2, pulse: stood), share: 0.125
    assert_found :unknown, :shared_core, find("driver_stalls", pulse: stood, apart: false)
    assert_found :unknown, :unmeasured, find("driver_stalls", slice: { pulse: nil })
    before = { gap_max_ns: nil, stalls: nil, stalled_ns: nil }
    assert_found :unknown, :unmeasured, find("driver_stalls", pulse: before)
  end

  test "responses that wait in the driver for more than a tenth of their time warn" do
    assert_found :ok, :prompt, find("event_age"), per_wakeup: 2.0, mean_ns: 1000.0, max_ns: 40_000
    assert_found :ok, :prompt, find("event_age", pulse: { age_sum_ns: 39_000_000 }),
                 share: 39_000 / 398_000.0
    assert_found :warn, :waited, find("event_age", pulse: { age_sum_ns: 40_000_000 })
    assert_found :unknown, :unmeasured, find("event_age", slice: { good: 0 })
    assert_found :unknown, :unread, find("event_age", pulse: { events: 0, wakeups: 0 })
  end

  def outage(ns, p50_ns: 1000, from_ns: 2_000_000_000)
    find("outage", slice: { started_ns: 5, p50_ns:, outage: { from_ns:, ns: } })
  end

  test "a server that answers nothing for half a second while requests fail was gone" do
    assert_found :ok, :none, find("outage")
    assert_found :ok, :none, find("outage", slice: { outage: nil })
    assert_found :ok, :none, outage(499_999_999)
    assert_found :warn, :gone, outage(500_000_000), from_s: 2.0, for_s: 0.5
    assert_found :unknown, :unmeasured, find("outage", slice: { block: nil })
  end

  test "where responses take long, one that failed meanwhile is no outage" do
    assert_found :ok, :none, outage(1_999_000_000, p50_ns: 100_000_000)
    assert_found :warn, :gone, outage(2_000_000_000, p50_ns: 100_000_000)
    assert_found :warn, :gone, outage(500_000_000, p50_ns: nil)
  end

  test "of several outages the longest counts, since the first step began" do
    slices = [[7, 600], [3_000_000_007, 900], [6_000_000_007, 700]].map do |started_ns, ms|
      SLICE.merge(started_ns:, outage: { from_ns: 500_000_000, ns: ms * 1_000_000 })
    end
    assert_found :warn, :gone, check("outage", { slices: }), from_s: 3.5, for_s: 0.9
  end

  def arrivals(kind, index, windows: 200) = check("arrivals", arrivals: { kind:, index:, windows: })

  test "arrivals are as dispersed as they should be, but for chance" do
    assert_found :ok, :on_time, arrivals("poisson", 1.49), index: 1.49, wanted: 1.0, windows: 200
    assert_found :warn, :clumped, arrivals("poisson", 1.51)
    assert_found :warn, :clumped, arrivals("poisson", 0.49)
    assert_found :ok, :on_time, arrivals("poisson", 1.9, windows: 30)
    assert_found :ok, :on_time, arrivals("constant", 0.1)
    assert_found :warn, :clumped, arrivals("constant", 0.11, windows: 30)
    assert_found :unknown, :missing, check("arrivals", arrivals: nil)
  end

  test "a server that does nothing has to be three times as fast at least" do
    assert_found :ok, :enough, find("headroom", empty_per_s: 1234.0), times: 12.34
    assert_found :ok, :enough, find("headroom", empty_per_s: 300.0), times: 3.0
    assert_found :warn, :little, find("headroom", empty_per_s: 299.0), times: 2.99
    assert_found :unknown, :missing, find("headroom", empty_per_s: nil)
    assert_found :unknown, :unmeasured, find("headroom", empty_per_s: 9.0, slice: { good: 0 })
  end
end
