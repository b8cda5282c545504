# frozen_string_literal: true

require "test_helper"

# Control groups of both versions, as systemd, Docker and Kubernetes lay them out.
class CgroupTest < Mohs::TestCase
  # [throttled, quota in cores, memory left] there; what we may use by it.
  def limits(files)
    with_files(files) do |root|
      reader = Mohs::Doctor::Reader.new(root:)
      @allowance = Mohs::Doctor.allowance(reader:)
      group = Mohs::Doctor::Cgroup.new(reader)
      return [group.throttled, group.quota_cores, group.memory_left_bytes]
    end
  end

  UNIFIED = {
    "proc/self/cgroup" => "0::/user.slice/app.service\n",
    "sys/fs/cgroup/cpu.stat" => "usage_usec 1\n",
    "sys/fs/cgroup/user.slice/cpu.stat" => "usage_usec 1\nnr_periods 9\nnr_throttled 2\n",
    "sys/fs/cgroup/user.slice/cpu.max" => "50000 100000\n",
    "sys/fs/cgroup/user.slice/app.service/cpu.stat" => "nr_throttled 3\n",
    "sys/fs/cgroup/user.slice/app.service/cpu.max" => "max 100000\n",
    "sys/fs/cgroup/user.slice/memory.max" => "1000\n",
    "sys/fs/cgroup/user.slice/memory.current" => "400\n",
    "sys/fs/cgroup/user.slice/app.service/memory.max" => "max\n",
    "sys/fs/cgroup/user.slice/app.service/memory.current" => "300\n",
  }.freeze

  LEGACY = {
    "proc/self/cgroup" => "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n1:name=systemd:/\n",
    "sys/fs/cgroup/cpu,cpuacct/cpu.stat" => "nr_periods 1\nnr_throttled 4\nthrottled_time 9\n",
    "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us" => "250000\n",
    "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us" => "100000\n",
    "sys/fs/cgroup/memory/memory.limit_in_bytes" => "2000\n",
    "sys/fs/cgroup/memory/memory.usage_in_bytes" => "2500\n",
  }.freeze

  test "version 2: limits of our group and of those above it" do
    assert_equal [5, 0.5, 600], limits(UNIFIED)
  end

  test "version 1 in a container: the mount is our group, and what is used up leaves nothing" do
    assert_equal [4, 2.5, 0], limits(LEGACY)
  end

  test "what we may use has the limits alone, whatever is used of them" do
    { UNIFIED => { cores: 0.5, memory_bytes: 1000 }, LEGACY => { cores: 2.5, memory_bytes: 2000 },
      {} => { cores: nil, memory_bytes: nil } }.each do |files, wanted|
      limits(files)
      assert_equal wanted, @allowance
    end
  end

  test "the lowest limit of memory counts, at whatever level" do
    limits({ **UNIFIED, "sys/fs/cgroup/user.slice/app.service/memory.max" => "900\n" })
    assert_equal 900, @allowance[:memory_bytes]
    limits({ **LEGACY, "sys/fs/cgroup/memory/memory.limit_in_bytes" => "9223372036854771712\n" })
    assert_nil @allowance[:memory_bytes]
  end

  test "no limit is none, in the words of either version" do
    none = LEGACY.merge("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us" => "-1\n",
                        "sys/fs/cgroup/memory/memory.limit_in_bytes" => "9223372036854771712\n")

    assert_equal [4, nil, nil], limits(none)
    assert_equal [0, nil, nil], limits("proc/self/cgroup" => "0::/\n",
                                       "sys/fs/cgroup/cpu.stat" => "usage_usec 1\n")
  end

  test "without a group to be read nothing is known, and a way out of the mount is not taken" do
    assert_equal [nil, nil, nil], limits({})
    outside = { "proc/self/cgroup" => "0::/../../etc\n", "etc/cpu.stat" => "nr_throttled 9\n" }
    assert_nil limits(outside).first
  end
end
