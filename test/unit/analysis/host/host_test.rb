# frozen_string_literal: true

require "test_helper"

# Where each check of the host draws its lines. Their words are in
# test/fixtures/screens/host-checks.txt.
class HostTest < Mohs::TestCase
  include Mohs::DoctorHelper

  GOVERNOR = "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor"
  CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource"
  PORTS = "proc/sys/net/ipv4/ip_local_port_range"
  SIBLINGS = "sys/devices/system/cpu/cpu1/topology/thread_siblings_list"
  NO_TURBO = "sys/devices/system/cpu/intel_pstate/no_turbo"

  def assert_found(severity, code, value, files = {}, **given)
    found = find(code.split(".").first, files, **given)
    assert_equal [severity, code, value].inspect,
                 [found.severity, found.code, found.values[:value]].inspect
    found
  end

  # The lines of the method's table: [check, just below, on it, just beyond the second].
  SPINS = {
    "gaps" => [{ away: 0.0199 }, { away: 0.02 }, { away: 0.10 }, { away: 0.1001 }],
    "own_cpu" => [{ cpu_share: 0.981 }, { cpu_share: 0.98 }, { cpu_share: 0.90 },
                  { cpu_share: 0.899 }],
    "speed" => [{ bins: [970.1, 1000, 1029.9] }, { bins: [969.9, 1000, 1030.1] },
                { bins: [900.1, 1000, 1099.9] }, { bins: [899.9, 1000, 1100.1] }],
  }.freeze

  SPINS.each do |name, seen|
    test "#{name} is ok, warn, warn, bad, and the worst core counts" do
      found = seen.map { |values| find(name, spins: [spin, spin(cpu: 7, **values)]) }

      assert_equal %i[ok warn warn bad], found.map(&:severity)
      assert_equal [7], found.drop(1).map { |one| one.values[:cpu] }.uniq
    end
  end

  SHARES = { "steal" => [:steal_share, 0.0099, 0.01, 0.05, 0.0501],
             "other_processes" => [:foreign_cpu_share, 0.0499, 0.05, 0.25, 0.2501] }.freeze

  SHARES.each do |name, (key, *shares)|
    test "#{name} is ok, warn, warn, bad" do
      found = shares.map { |share| find(name, activity: QUIET.merge(key => share)) }

      assert_equal %i[ok warn warn bad], found.map(&:severity)
      assert_equal shares, found.map { |one| one.values[:value] }
    end
  end

  test "other processes are named, the three busiest" do
    processes = %w[chrome dockerd make cc1].each_with_index.map do |name, at|
      { name:, share: 0.09 - (at * 0.02) }
    end
    found = find("other_processes", activity: QUIET.merge(foreign_cpu_share: 0.14, processes:))

    assert_equal %w[chrome dockerd make], found.values[:processes].map { |one| one[:name] }
  end

  test "any throttling and any swapping is bad" do
    assert_found :bad, "throttling.measured", 1, activity: QUIET.merge(throttled: 1)
    assert_found :bad, "swap.measured", 1, activity: QUIET.merge(swapped: 1)
  end

  test "activity that the kernel does not count is unknown" do
    unknown = QUIET.transform_values { nil }

    %w[steal other_processes throttling swap].each do |name|
      assert_equal :unknown, find(name, activity: unknown).severity, name
    end
  end

  test "pressure is in percent of the time before" do
    found = [1.99, 2.0, 20.0, 20.1].map { |share| find("pressure", pressure: share) }

    assert_equal %i[ok warn warn bad], found.map(&:severity)
    assert_in_delta 0.02, found[1].values[:value]
  end

  test "one governor that follows the load is enough for a warning" do
    assert_found :warn, "governor.following", "performance, powersave",
                 GOVERNOR => "powersave\n"
  end

  test "turbo is on where its switch says so, each kind of switch in its own way" do
    boost = "sys/devices/system/cpu/cpufreq/boost"

    assert_found :warn, "turbo.on", "on", NO_TURBO => "0"
    assert_found :ok, "turbo.off", "off", NO_TURBO => nil, boost => "0"
    found = assert_found :warn, "turbo.on", "on", NO_TURBO => nil, boost => "1"
    assert_equal ["/#{boost}", 1, 0], found.values.values_at(:path, :on, :off)
  end

  test "a driver on a hyperthread of the server's core is told" do
    assert_found :warn, "siblings.shared_by_all", "shared", SIBLINGS => "0-1"
    assert_found :warn, "siblings.shared_by_all", "shared", SIBLINGS => "0,1"
    assert_found :ok, "siblings.apart", "apart", SIBLINGS => "1,5-7"
    assert_found :ok, "siblings.single", "none", cpus: [1]
  end

  test "hyperthreads are turned off only where cores are left" do
    four = { "sys/devices/system/cpu/cpu3/topology/thread_siblings_list" => "1,3" }

    found = assert_found :warn, "siblings.shared", "shared", **four, cpus: [0, 1, 2, 3]
    assert_equal [3, [1]], found.values.values_at(:driver, :server)
    three = { "sys/devices/system/cpu/cpu2/topology/thread_siblings_list" => "0,2" }
    assert_found :warn, "siblings.shared_by_all", "shared", **three, cpus: [0, 1, 2]
  end

  test "a clock that needs a system call is slow" do
    assert_found :ok, "clock.fast", "kvm-clock", CLOCK => "kvm-clock"
    assert_found :warn, "clock.slow", "hpet", CLOCK => "hpet\n"
  end

  test "a core is too few, and so is a quota below the cores" do
    assert_found :warn, "cores.one", 1, cpus: [3]
    assert_found :warn, "cores.quota", 1.5, "sys/fs/cgroup/cpu.max" => "150000 100000\n"
    assert_found :ok, "cores.several", 2, "sys/fs/cgroup/cpu.max" => "200000 100000"
    assert_found :ok, "cores.several", 2, "sys/fs/cgroup/cpu.max" => "max 100000"
  end

  test "memory is what the machine or the control group leaves, whichever is less" do
    limit = { "sys/fs/cgroup/memory.max" => (2**30).to_s,
              "sys/fs/cgroup/memory.current" => (2**29).to_s }

    assert_found :ok, "memory.measured", 8_192_000_000
    assert_found :warn, "memory.measured", 2**29, **limit
    tight = limit.merge("sys/fs/cgroup/memory.current" => ((2**29) + 1).to_s)
    assert_found :bad, "memory.measured", (2**29) - 1, **tight
  end

  test "files: a limit below a thousand is little, no limit is well" do
    { "1024" => :ok, "1023" => :warn, "255" => :warn, "254" => :bad }.each do |limit, severity|
      assert_found severity, "files.limited", limit.to_i,
                   "proc/self/limits" => "Max open files   #{limit}   9999 files"
    end
    assert_found :ok, "files.unlimited", nil,
                 "proc/self/limits" => "Max open files   unlimited   9999 files"
  end

  test "ports: limits are those of the number, both ends counted" do
    found = { 16_385 => :ok, 16_384 => :warn, 4096 => :warn, 4095 => :bad }
    found.each do |count, severity|
      assert_found severity, "ports.counted", count, PORTS => "40000 #{40_000 + count - 1}"
    end
  end

  test "ports: few warn, and those that are the servers' own" do
    { "32768 60999" => %i[ok counted], "40000 49999" => %i[warn counted],
      "40000 43999" => %i[bad counted], "1024 65535" => %i[warn overlap],
      "32000 65535" => %i[warn overlap], "32001 65535" => %i[ok counted] }
      .each do |range, (severity, kind)|
        found = find("ports", PORTS => range)
        assert_equal [severity, "ports.#{kind}"], [found.severity, found.code], range
      end
  end

  test "without the range of ports no share of them is known" do
    waiting = { "proc/net/sockstat" => "TCP: inuse 1 orphan 0 tw 9 x 1", PORTS => nil }

    assert_found :unknown, "time_wait.unknown", nil, waiting
  end

  test "none at all is measured, but for what is told by counting" do
    quiet = { steal_share: 0.0, throttled: 0, swapped: 0 }
    found = %w[steal throttling swap].map { |name| find(name, activity: QUIET.merge(quiet)).code }

    assert_equal %w[steal.measured throttling.none swap.none], found
  end

  test "TIME_WAIT is a share of the ports" do
    found = [99, 7058, 22_000].map do |count|
      find("time_wait", "proc/net/sockstat" => "TCP: inuse 1 orphan 0 tw #{count} x 1").severity
    end

    assert_equal %i[ok warn bad], found
    exact = find("time_wait", "proc/net/sockstat" => "TCP: inuse 1 orphan 0 tw 7058 x 1")
    assert_in_delta 0.25, exact.values[:value], 1e-9
    beyond = find("time_wait", "proc/net/sockstat" => "TCP: inuse 1 orphan 0 tw 90601 x 1")
    assert_match(/\A90 601 .*: 3\.2 times /, Mohs::Report::Render.call(beyond))
    assert_match(/\A7 058 .*: 25 % /, Mohs::Report::Render.call(exact))
  end

  test "cores that are slowed down together are worth measuring at the same time" do
    found = find("correlation", spins: [spin(bins: [1, 2, 3, 1]), spin(bins: [10, 20, 31, 9])])

    assert_operator found.values[:value], :>, 0.99
    assert_equal "correlation.together", found.code
    other = find("correlation", spins: [spin(bins: [1000, 1001]), spin(bins: [1001, 1000])])
    assert_equal "correlation.apart", other.code
    still = [[1, 2, 3, 1], [10, 20, 31, 9], [5, 5, 5, 5]].map { |bins| spin(bins:) }
    assert_equal "correlation.together", find("correlation", spins: still).code
    half = find("correlation", spins: [spin(bins: [1, 2, 3, 4]), spin(bins: [3, 7, 3, 8])])
    assert_equal ["correlation.together", 0.54], [half.code, half.values[:value].round(2)]
    assert_equal :unknown, find("correlation", spins: [spin]).severity
  end

  test "the real-time class has a share of each period, which is a second if it can't be read" do
    period = "proc/sys/kernel/sched_rt_period_us"
    shares = ["2000000\n", nil].map { |us| find("real_time", period => us).values[:share] }

    assert_equal [0.475, 0.95], shares
  end

  test "a check is known by its name alone" do
    assert_equal [true, false, false], %w[gaps gap trend].map { Mohs::Analysis::Host.known?(_1) }
  end

  test "cores that vary against each other are a warning, by how far they do" do
    bins = ->(share) { [1000 * (1 - share), 1000 * (1 + share), 1000] }
    # sd of the difference: 2 * share; of cores that vary alone, sqrt(2) times the variation.
    quiet, noisy = [0.0149, 0.0151].map do |share|
      find("correlation", spins: [spin(bins: bins.call(share)), spin(bins: bins.call(-share))])
    end

    assert_equal [[:ok, "correlation.apart"], [:warn, "correlation.against"]],
                 [quiet, noisy].map { |found| [found.severity, found.code] }
    assert_in_delta(-1.0, noisy.values[:value])
    assert_in_delta 0.0302, noisy.values[:apart], 1e-9
    one, other = spin(bins: [1000, 1100, 1000, 900]), spin(bins: [1100, 1000, 900, 1000])
    assert_equal "correlation.against", find("correlation", spins: [one, other]).code
  end

  test "a core that did nothing at all is bad" do
    assert_found :bad, "speed.starved", nil, spins: [spin(bins: [0, 0, 0])]
  end
end
