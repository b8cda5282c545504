# frozen_string_literal: true

require "test_helper"

# --fix and --undo on made-up hosts.
class FixesTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-doctor"

  FREQUENCY = %w[cpu0 cpu1].map { |cpu| "sys/devices/system/cpu/#{cpu}/cpufreq" }
  GOVERNORS = FREQUENCY.map { |folder| "#{folder}/scaling_governor" }
  ABLE = FREQUENCY.to_h do |folder|
    ["#{folder}/scaling_available_governors", "performance powersave\n"]
  end
  PORTS = "proc/sys/net/ipv4/ip_local_port_range"
  TREE = { **ABLE, GOVERNORS[0] => "powersave\n", GOVERNORS[1] => "schedutil\n",
           PORTS => "1024\t65535\n" }.freeze

  # A reader whose files below #path can't be written, since they are no folders.
  def stuck(*paths)
    reader = Mohs::Doctor::Reader.new(root: @root)
    writable = reader.method(:path)
    reader.define_singleton_method(:path) do |path|
      paths.include?(path) ? File.join(writable.call(path), "no") : writable.call(path)
    end
    reader.define_singleton_method(:text) do |path|
      File.read(writable.call(path)).strip if File.exist?(writable.call(path))
    end
    reader
  end

  def with_host(tree = TREE, uid: 0)
    with_files(tree) do |root|
      @root = root
      @state = "#{root}/state/mohs/doctor.json"
      yield Mohs::Doctor::Fixes.new(state: @state, uid:, reader: Mohs::Doctor::Reader.new(root:))
    end
  end

  def now = [*GOVERNORS, PORTS].map { |path| File.read("#{@root}/#{path}").split.join(" ") }

  test "what is not as it should be is set, and what was is put back exactly" do
    with_host do |fixes|
      done = fixes.fix
      assert_equal %w[done done done], done.map(&:state)
      assert_equal ["performance", "performance", "32768 65535"], now
      assert_equal ["powersave", "schedutil", "1024\t65535"], done.map(&:was)

      assert_equal %w[done done done], fixes.undo.map(&:state)
      assert_equal ["powersave", "schedutil", "1024 65535"], now
      refute_path_exists @state
    end
  end

  test "a host that is well is left alone, root or not" do
    well = { **ABLE, GOVERNORS[0] => "performance\n", PORTS => "32768 60999\n" }
    with_host(well, uid: 1000) do |fixes|
      assert_empty fixes.fix
      assert_empty fixes.undo
      refute_path_exists @state
    end
  end

  test "a governor that the driver does not have is not asked for" do
    with_host(TREE.merge(ABLE.transform_values { "powersave\n" })) do |fixes|
      assert_equal [PORTS], fixes.fix.map(&:path)
    end
  end

  test "who is not root is told so, and nothing is changed" do
    with_host(uid: 1000) do |fixes|
      error = assert_raises(Mohs::EnvironmentError) { fixes.fix }
      assert_said(error.message)
      assert_equal ["powersave", "schedutil", "1024 65535"], now
      refute_path_exists @state
    end
  end

  test "undo is root's as well, and keeps what it knows until then" do
    with_host do |fixes|
      fixes.fix
      other = Mohs::Doctor::Fixes.new(state: @state, uid: 1, reader: stuck)
      assert_raises(Mohs::EnvironmentError) { other.undo }
      assert_equal 3, fixes.undo.size
    end
  end

  test "fixed twice, it is still the first state that comes back" do
    with_host do |fixes|
      fixes.fix
      File.write("#{@root}/#{GOVERNORS[0]}", "ondemand\n")
      assert_equal [GOVERNORS[0]], fixes.fix.map(&:path)
      fixes.undo
      assert_equal ["powersave", "schedutil", "1024 65535"], now
    end
  end

  test "what somebody has set since is left alone, and what is gone is no fault" do
    with_host do |fixes|
      fixes.fix
      File.write("#{@root}/#{GOVERNORS[0]}", "ondemand\n")
      File.unlink("#{@root}/#{PORTS}")
      undone = fixes.undo
      assert_equal %w[left done left], undone.map(&:state)
      assert_includes undone.first.reason, "ondemand"
      refute_path_exists @state
    end
  end

  test "what can't be put back is remembered for another try" do
    with_host do |fixes|
      fixes.fix
      hindered = Mohs::Doctor::Fixes.new(state: @state, uid: 0, reader: stuck(PORTS))
      assert_equal %w[done done failed], hindered.undo.map(&:state)
      assert_equal [PORTS], fixes.undo.map(&:path)
      assert_equal "1024\t65535", File.read("#{@root}/#{PORTS}")
    end
  end

  test "a change that fails is told, with the reason" do
    with_host(TREE.except(PORTS)) do
      reader = stuck(*GOVERNORS)
      failed = Mohs::Doctor::Fixes.new(state: @state, uid: 0, reader:).fix
      assert_equal %w[failed failed], failed.map(&:state)
      assert_match(/Not a directory/, failed.first.reason)
    end
  end

  # What somebody else may have written into the state file.
  PLANTED = [
    { path: "proc/sys/kernel/core_pattern", was: "|/tmp/theirs", now: "core" },
    { path: "proc/sys/net/ipv4/../../kernel/core_pattern", was: "1 2", now: "core" },
    { path: "#{PORTS}\n", was: "1 2", now: "3 4" },
    { path: GOVERNORS[0], was: "power\nsave", now: "powersave" },
    { path: GOVERNORS[1], was: "ondemand", now: "" },
    { path: PORTS, was: "|/tmp/theirs", now: "1024 65535" },
    { path: PORTS, was: "1024\t65535 1", now: "1024 65535" },
  ].freeze

  def plant(entries)
    FileUtils.mkdir_p(File.dirname(@state))
    File.write(@state, JSON.generate(entries))
  end

  test "only what --fix itself can have written is restored; the rest is refused, each by name" do
    with_host({ **TREE, "proc/sys/kernel/core_pattern" => "core\n" }) do |fixes|
      plant([*PLANTED, { path: GOVERNORS[0], was: "ondemand", now: "powersave" }])
      undone = fixes.undo

      assert_equal [*(["left"] * PLANTED.size), "done"], undone.map(&:state)
      assert_equal [true, false], undone.map { |one| !one.reason.nil? }.uniq
      assert_equal "core\n", File.read("#{@root}/proc/sys/kernel/core_pattern")
      assert_equal ["ondemand", "schedutil", "1024 65535"], now
      refute_path_exists @state
    end
  end

  test "what was planted does not keep --fix from remembering the same setting" do
    with_host do |fixes|
      plant(PLANTED)
      fixes.fix

      assert_equal %w[done done done], fixes.undo.map(&:state)
      assert_equal ["powersave", "schedutil", "1024 65535"], now
    end
  end

  test "a damaged state file says what to do" do
    with_host do |fixes|
      fixes.fix
      ["{", "{}", "1", "[1]", "[{}]", '[{"path":"x","was":1,"now":"y"}]'].each do |text|
        File.write(@state, text)
        error = assert_raises(Mohs::EnvironmentError, text) { fixes.undo }
        assert_includes error.message, @state
        assert_includes error.message, "reboot"
      end
    end
  end
end
