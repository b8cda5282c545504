# frozen_string_literal: true

require "test_helper"

# Where each check draws its lines.
class DoctorChecksTest < Mohs::TestCase
  include Mohs::DoctorHelper

  GOVERNOR = "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor"
  CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource"
  PORTS = "proc/sys/net/ipv4/ip_local_port_range"
  SIBLINGS = "sys/devices/system/cpu/cpu1/topology/thread_siblings_list"
  NO_TURBO = "sys/devices/system/cpu/intel_pstate/no_turbo"

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
      levels = seen.map { |values| find(name, spins: [spin, spin(cpu: 7, **values)]) }

      assert_equal %w[ok warn warn bad], levels.map(&:level)
      levels.drop(1).each { |result| assert_includes result.detail, "CPU 7" }
    end
  end

  SHARES = { "steal" => [:steal_share, 0.0099, 0.01, 0.05, 0.0501],
             "other_processes" => [:foreign_cpu_share, 0.0499, 0.05, 0.25, 0.2501] }.freeze

  SHARES.each do |name, (key, *shares)|
    test "#{name} is ok, warn, warn, bad" do
      found = shares.map { |share| find(name, activity: QUIET.merge(key => share)) }

      assert_equal %w[ok warn warn bad], found.map(&:level)
      assert_equal shares, found.map(&:value)
    end
  end

  test "other processes are named, the three busiest" do
    processes = %w[chrome dockerd make cc1].each_with_index.map do |name, at|
      { name:, share: 0.09 - (at * 0.02) }
    end
    result = find("other_processes", activity: QUIET.merge(foreign_cpu_share: 0.14, processes:))

    assert_equal "14 % of the CPU: chrome 9 %, dockerd 7 %, make 5 %", result.detail
  end

  test "any throttling and any swapping is bad" do
    assert_equal "bad", find("throttling", activity: QUIET.merge(throttled: 1)).level
    assert_equal "bad", find("swap", activity: QUIET.merge(swapped: 1)).level
  end

  test "activity that the kernel does not count is unknown" do
    unknown = QUIET.transform_values { nil }

    %w[steal other_processes throttling swap].each do |name|
      assert_equal "unknown", find(name, activity: unknown).level, name
    end
  end

  test "pressure is in percent of the time before" do
    found = [1.99, 2.0, 20.0, 20.1].map { |share| find("pressure", pressure: share) }

    assert_equal %w[ok warn warn bad], found.map(&:level)
    assert_in_delta 0.02, found[1].value
  end

  test "one governor that follows the load is enough for a warning" do
    result = find("governor", GOVERNOR => "powersave\n")

    assert_equal ["warn", "performance, powersave"], [result.level, result.value]
    assert_includes result.remedy, "mohs doctor --fix"
  end

  test "turbo is on where its switch says so, each kind of switch in its own way" do
    boost = "sys/devices/system/cpu/cpufreq/boost"

    assert_equal %w[on warn], find("turbo", NO_TURBO => "0").to_h.values_at(:value, :level)
    assert_equal "off", find("turbo", NO_TURBO => nil, boost => "0").value
    found = find("turbo", NO_TURBO => nil, boost => "1")
    assert_equal "echo 0 | sudo tee /#{boost} (on again: echo 1)", found.remedy
  end

  test "a driver on a hyperthread of the server's core is told" do
    assert_equal "shared", find("siblings", SIBLINGS => "0-1").value
    assert_equal "shared", find("siblings", SIBLINGS => "0,1").value
    assert_equal "apart", find("siblings", SIBLINGS => "1,5-7").value
    assert_equal "none", find("siblings", cpus: [1]).value
  end

  test "hyperthreads are turned off only where cores are left" do
    four = { "sys/devices/system/cpu/cpu3/topology/thread_siblings_list" => "1,3" }

    assert_includes find("siblings", four, cpus: [0, 1, 2, 3]).remedy, "echo off"
    refute_includes find("siblings", SIBLINGS => "0-1").remedy, "echo"
  end

  test "a clock that needs a system call is slow" do
    assert_equal "ok", find("clock", CLOCK => "kvm-clock").level
    assert_equal %w[warn hpet], find("clock", CLOCK => "hpet\n").to_h.values_at(:level, :value)
  end

  test "a core is too few, and so is a quota below the cores" do
    assert_equal ["warn", 1], find("cores", cpus: [3]).to_h.values_at(:level, :value)
    quota = { "sys/fs/cgroup/cpu.max" => "150000 100000\n" }
    assert_equal ["warn", 1.5], find("cores", quota).to_h.values_at(:level, :value)
    assert_equal 2, find("cores", "sys/fs/cgroup/cpu.max" => "200000 100000").value
    assert_equal 2, find("cores", "sys/fs/cgroup/cpu.max" => "max 100000").value
  end

  test "memory is what the machine or the control group leaves, whichever is less" do
    limit = { "sys/fs/cgroup/memory.max" => (2**30).to_s,
              "sys/fs/cgroup/memory.current" => (2**29).to_s }

    assert_equal ["ok", 8_192_000_000], find("memory").to_h.values_at(:level, :value)
    assert_equal ["warn", 2**29], find("memory", limit).to_h.values_at(:level, :value)
    tight = limit.merge("sys/fs/cgroup/memory.current" => ((2**29) + 1).to_s)
    assert_equal "bad", find("memory", tight).level
  end

  test "files: a limit below a thousand is little, no limit is well" do
    limits = { "1024" => "ok", "1023" => "warn", "255" => "warn", "254" => "bad",
               "unlimited" => "ok" }
    found = limits.to_h do |limit, _|
      [limit, find("files", "proc/self/limits" => "Max open files   #{limit}   9999 files").level]
    end

    assert_equal limits, found
  end

  test "ports: few are told, and those that are the servers' own" do
    ranges = { "32768 60999" => "ok", "40000 49999" => "warn", "40000 43999" => "bad",
               "1024 65535" => "warn", "32001 65535" => "ok" }

    assert_equal ranges, ranges.to_h { |range, _| [range, find("ports", PORTS => range).level] }
    assert_includes find("ports", PORTS => "1024 65535").detail, "of servers too"
  end

  test "TIME_WAIT is a share of the ports" do
    found = [99, 7058, 22_000].map do |count|
      find("time_wait", "proc/net/sockstat" => "TCP: inuse 1 orphan 0 tw #{count} x 1").level
    end

    assert_equal %w[ok warn bad], found
  end

  test "cores that are slowed down together are worth measuring at the same time" do
    found = find("correlation", spins: [spin(bins: [1, 2, 3, 1]), spin(bins: [10, 20, 31, 9])])

    assert_operator found.value, :>, 0.99
    assert_includes found.detail, "together"
    assert_includes find("correlation", spins: [spin(bins: [1, 2]), spin(bins: [2, 1])]).detail,
                    "each for itself"
    assert_equal "unknown", find("correlation", spins: [spin]).level
  end

  test "a core that did nothing at all is bad" do
    assert_equal "bad", find("speed", spins: [spin(bins: [0, 0, 0])]).level
  end
end
