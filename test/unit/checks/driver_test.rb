# frozen_string_literal: true

require "test_helper"

# What the load driver says against itself.
class DriverChecksTest < Mohs::TestCase
  SLICE = { warm_up: false, sent: 1000, good: 1000, errors: {}, wall_ns: 10_000_000_000,
            latency_sum_ns: 398_000_000, driver_cpu_ns: 2_000_000_000,
            pulse: Mohs::DRIVER_PULSE }.freeze

  def check(name, slice: {}, pulse: {}, **facts)
    slice = SLICE.merge(slice)
    slice = slice.merge(pulse: slice[:pulse].merge(pulse)) if slice[:pulse]
    Mohs::Checks.fetch(name).new.call({ threads: 1, slices: [slice], **facts })
  end

  def assert_level(level, result, text = //)
    assert_equal level, result[:level], result[:detail]
    assert_match text, result[:detail]
  end

  test "a driver at its limit in a hundredth of the windows is told" do
    assert_level "ok", check("driver_share", pulse: { busy: 2, full: 2 })
    assert_level "warn", check("driver_share", pulse: { busy: 3, full: 3 }),
                 /client-bound at times: in 3 of 100 tenths of a second .* more than 85 %/
    long = { windows: 36_000, busy: 360, full: 360 }
    assert_level "ok", check("driver_share", pulse: long)
    assert_level "warn", check("driver_share", pulse: long.merge(busy: 361, full: 361))
    assert_level "warn", check("driver_share", pulse: { busy: 5 }), /5 of 100 .* more than 50 %/
    assert_level "ok", check("driver_share", pulse: { windows: 2, busy: 2, full: 2 })
  end

  test "what is busy on the whole says so first, and one that spins always is" do
    whole = { driver_cpu_ns: 6_000_000_000 }
    assert_level "warn", check("driver_share", slice: whole, pulse: { busy: 99 }), /took 60 % of/
    spins = check("driver_share", slice: { driver_cpu_ns: 9_900_000_000 }, pulse: { spins: true })
    assert_nil spins[:ok]
  end

  test "a driver of which nothing else is known is judged by the whole" do
    assert_level "ok", check("driver_share", slice: { pulse: nil }), /\A20 % of its core\z/
    %w[driver_waits event_age].each { |name| assert_nil check(name, slice: { pulse: nil })[:ok] }
  end

  test "a driver that waits for its core is told, where it matters" do
    assert_level "ok", check("driver_waits"), /0\.3 % of the time, preempted 7 times/
    kept = check("driver_waits", pulse: { waited_ns: 2_000_000_000 })
    assert_level "warn", kept, /for 20 % of the time the driver was ready and had no core/
    idle = { driver_cpu_ns: 100_000_000 }
    assert_level "ok", check("driver_waits", slice: idle, pulse: { waited_ns: 100_000_000 })
    assert_level "warn", check("driver_waits", slice: idle, pulse: { waited_ns: 101_000_000 })
    assert_level "ok", check("driver_waits", pulse: { waited_ns: 500_000_000 }), /5 % of the time/
  end

  test "nothing is said of waits that are not known, or by design" do
    assert_nil check("driver_waits", pulse: { waited_ns: nil })[:ok]
    shared = check("driver_waits", pulse: { waited_ns: 5_000_000_000 }, apart: false)
    assert_nil shared[:ok]
    assert_match(/shares its core/, shared[:detail])
    assert_nil check("event_age", pulse: { age_sum_ns: 90_000_000 }, apart: false)[:ok]
    assert_nil check("driver_waits", slice: { warm_up: true })[:ok]
  end

  test "what the hypervisor took is told, also where the kernel tells no waits" do
    stolen = { steal_share: 0.02, waited_ns: nil }
    assert_level "warn", check("driver_waits", pulse: stolen), /took 2 % of the CPU/
    assert_level "warn", check("driver_waits", pulse: { steal_share: 0.02 }), /took 2 % of the CPU/
    both = { steal_share: 0.02, waited_ns: 2_000_000_000 }
    assert_level "warn", check("driver_waits", pulse: both), /had no core/
    assert_nil check("driver_waits", pulse: { steal_share: nil, waited_ns: nil })[:ok]
  end

  test "answers that wait in the driver for a tenth of their time are told" do
    assert_level "ok", check("event_age"), /\A2 events a wake-up, read 1 us after the first, /
    assert_level "ok", check("event_age", pulse: { age_sum_ns: 39_000_000 }), / 9\.8 % of what/
    assert_level "warn", check("event_age", pulse: { age_sum_ns: 40_000_000 }), /for 10 % of what/
    assert_nil check("event_age", slice: { good: 0 })[:ok]
    assert_nil check("event_age", pulse: { events: 0, wakeups: 0 })[:ok]
  end

  def arrivals(kind, index, windows: 200) = check("arrivals", arrivals: { kind:, index:, windows: })

  test "arrivals are as dispersed as they should be, but for chance" do
    assert_level "ok", arrivals("poisson", 1.49), /\Adispersion 1\.49 of 1, in 200 windows\z/
    assert_level "warn", arrivals("poisson", 1.51), /did not leave as they fell due/
    assert_level "warn", arrivals("poisson", 0.49)
    assert_level "ok", arrivals("poisson", 1.9, windows: 30)
    assert_level "ok", arrivals("constant", 0.1)
    assert_level "warn", arrivals("constant", 0.11, windows: 30)
    assert_nil check("arrivals", arrivals: nil)[:ok]
  end

  test "a server that does nothing has to be three times as fast at least" do
    assert_level "ok", check("headroom", empty_per_s: 1234), /\A12x\z/
    assert_level "ok", check("headroom", empty_per_s: 300), /\A3\.0x\z/
    assert_level "warn", check("headroom", empty_per_s: 299), /could send 3\.0 times as much and/
    assert_nil check("headroom", empty_per_s: nil)[:ok]
    assert_nil check("headroom", empty_per_s: 9, slice: { good: 0 })[:ok]
  end
end
