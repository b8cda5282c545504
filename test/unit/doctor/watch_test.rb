# frozen_string_literal: true

require "test_helper"

# What went on between two readings of /proc.
class WatchTest < Mohs::TestCase
  include Mohs::DoctorHelper

  Times = Struct.new(:utime, :stime, :cutime, :cstime)

  def process(pid, name, ticks, parent: 1)
    text = "#{pid} (#{name}) S #{parent} 1 1 0 -1 0 0 0 0 0 #{ticks} 0 0 0 20 0 1\n"
    { "proc/#{pid}/stat" => text }
  end

  def watch(before, after)
    with_files(TREE.merge(before).compact) do |root|
      clock = [0, 10_000_000_000]
      watch = Mohs::Doctor::Watch.new(reader: Mohs::Doctor::Reader.new(root:),
                                      times: -> { Times.new(0, 0, 0, 0) },
                                      clock: -> { clock.shift })
      after.each do |path, content|
        FileUtils.mkdir_p(File.dirname("#{root}/#{path}"))
        File.write("#{root}/#{path}", content)
      end
      return [watch.call, watch.pressure]
    end
  end

  test "counters are told by how much they grew" do
    after = { "proc/stat" => "cpu  1400 0 600 10450 130 0 0 30 0 0\n",
              "proc/vmstat" => "pswpin 13\npswpout 24\n",
              "sys/fs/cgroup/cpu.stat" => "nr_throttled 2\n",
              "proc/pressure/cpu" => "some avg10=99.00 avg60=1 avg300=1 total=1\n" }
    activity, pressure = watch({}, after)

    assert_equal [7, 2, 0.01], activity.values_at(:swapped, :throttled, :steal_share)
    assert_in_delta 0.25, activity[:foreign_cpu_share]
    assert_in_delta 0.5, pressure, 1e-9, "of before, not of our own doing"
  end

  test "what another mohs does while this one is idle is left out" do
    stat = { "proc/stat" => "cpu  1400 0 600 10450 130 0 0 30 0 0\n",
             "proc/vmstat" => "pswpin 13\npswpout 24\n",
             "sys/fs/cgroup/cpu.stat" => "nr_throttled 2\n", **process(10, "make", 900) }
    with_files(TREE.merge(process(10, "make", 100))) do |root|
      times = -> { Times.new(0, 0, 0, 0) }
      reader = Mohs::Doctor::Reader.new(root:)
      watch = Mohs::Doctor::Watch.new(reader:, times:, clock: [0, 1, 2, 3].map { |s|
        s * 1_000_000_000
      }.method(:shift))
      value = watch.except do
        stat.each { |path, content| File.write("#{root}/#{path}", content) }
        :value
      end

      assert_equal [:value, { foreign_cpu_share: 0.0, steal_share: 0.0, throttled: 0, swapped: 0,
                              processes: [] }], [value, watch.call]
    end
  end

  test "a machine without swap cannot swap; one that does not count can't say" do
    without = { "proc/meminfo" => "SwapTotal: 0 kB\n", "proc/vmstat" => nil }

    assert_equal 0, watch(without, {}).first[:swapped]
    assert_nil watch({ "proc/vmstat" => "nr_free_pages 1\n" }, {}).first[:swapped]
  end

  test "what can't be read is nil" do
    activity, pressure = watch(TREE.transform_values { nil }, {})

    assert_equal [nil, nil, nil, nil],
                 activity.values_at(:steal_share, :foreign_cpu_share, :throttled, :swapped)
    assert_nil pressure
  end

  # On one core, at 100 ticks a second, for 10 s: 1000 ticks are all of it.
  def busy(before, now)
    readings = [before, now].map do |processes|
      with_files(processes.reduce({}, :merge)) do |root|
        break Mohs::Doctor::Neighbours.read(Mohs::Doctor::Reader.new(root:))
      end
    end
    Mohs::Doctor::Neighbours.busy(*readings, seconds: 10.0, own: 50, cores: 1, ticks_per_s: 100)
  end

  def names(processes) = busy([], processes).map { |one| one[:name] }

  test "neighbours are summed by name, the busiest first; those that came later count as a whole" do
    before = [process(10, "make", 100), process(11, "cc1", 0), process(12, "idle", 7)]
    now = [process(10, "make", 200), process(11, "cc1", 200), process(12, "idle", 11),
           process(13, "cc1", 100)]

    assert_equal [{ name: "cc1", share: 0.3 }, { name: "make", share: 0.1 }], busy(before, now)
  end

  test "we and all below us are none of them" do
    now = [process(50, "mohs", 500), process(51, "supervisor", 10, parent: 50),
           process(52, "puma", 900, parent: 51)]

    assert_empty busy([], now)
    assert_equal ["mohs"], names([process(49, "mohs", 500)])
  end

  test "a name with brackets and spaces is a name, and a parent that is its own is no trap" do
    assert_equal ["a) b (c"], names([process(9, "a) b (c", 400, parent: 9)])
  end

  test "of this machine everything has the right shape" do
    activity = Mohs::Doctor::Watch.new.tap { sleep 0.05 }.call

    assert_equal %i[foreign_cpu_share steal_share throttled swapped processes], activity.keys
    assert(activity[:processes].all? { |one| one[:name].is_a?(String) && one[:share].positive? })
  end
end
