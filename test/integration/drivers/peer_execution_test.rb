# frozen_string_literal: true

require "test_helper"

# A tool's life: what starts it, ends it, and becomes of what it says. The tools are shell scripts.
class PeerExecutionTest < Mohs::TestCase
  STEP = Mohs::Load::Step.new(duration_ns: 1_000_000_000)
  SAY = 'cat "$(dirname "$0")/fine"'

  # Yields a tool that is this script, and the folder where it is.
  def with_tool(script, cpus: nil, tool: "wrk")
    fine = File.read(File.expand_path("../../fixtures/drivers/#{tool}.txt", __dir__))
    with_files(tool => "#!/bin/sh\n#{script}\n", "fine" => fine) do |folder|
      File.chmod(0o755, File.join(folder, tool))
      yield driver("#{folder}:#{ENV.fetch('PATH')}", cpus:, tool:), folder
    end
  end

  def driver(path, cpus: nil, tool: "wrk")
    spawner = Mohs::Process::Spawner.new(base_env: { "PATH" => path })
    target = Mohs::Load::Target.new(host: "127.0.0.1", port: 9, connections: 4)
    Mohs::Drivers.fetch(tool).new(targets: [target], cpus:, spawner:)
  end

  # The folders that tools run in.
  def left = Dir.children(ENV.fetch("TMPDIR")).grep(Mohs::Process::ScratchFolder::FORM)

  test "what it prints becomes the result, and the folder it ran in is gone" do
    with_tool("#{SAY}; pwd > \"$(dirname \"$0\")/where\"; echo much >&2") do |driver, folder|
      result = driver.run([STEP]).first
      assert_equal [36_765, 56_000, 6_830_000], [result.good, result.p50_ns, result.max_ns]
      assert_operator result.started_ns, :>, 0
      assert_nil result.cpu_ns
      refute_path_exists File.read(File.join(folder, "where")).chomp
      assert_empty left
    end
  end

  test "what a killed mohs has left of a tool's run is removed by the next" do
    with_tool("#{SAY}; kill -9 $(cat \"$(dirname \"$0\")/mohs\") || true") do |driver, folder|
      temporary = FileUtils.mkdir(File.join(folder, "tmp")).first
      with_tmpdir(temporary) do
        pid = fork do
          File.write(File.join(folder, "mohs"), ::Process.pid.to_s)
          driver.run([STEP])
        ensure
          exit!
        end
        assert_equal 9, ::Process.wait2(pid).last.termsig
        refute_empty Dir.children(temporary)

        File.write(File.join(folder, "mohs"), "0x")
        assert_equal 36_765, driver.run([STEP]).first.good
        assert_empty Dir.children(temporary)
      end
    end
  end

  def with_tmpdir(folder)
    before = ENV.fetch("TMPDIR")
    ENV["TMPDIR"] = folder
    yield
  ensure
    ENV["TMPDIR"] = before
  end

  test "its processor time is told, its children's included" do
    work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
    idle = busy = nil
    with_tool(SAY) { |driver| idle = driver.run([STEP]).first.driver_cpu_ns }
    with_tool("(#{work}); #{SAY}") do |driver|
      busy = driver.run([STEP]).first.driver_cpu_ns
    end
    assert_operator busy, :>, idle
  end

  test "it runs on the CPUs it was given" do
    cpu = Mohs::Process::CpuSet.available.last
    look = 'grep Cpus_allowed_list /proc/self/status > "$(dirname "$0")/cpus"'
    with_tool("#{SAY}; #{look}", cpus: [cpu]) do |driver, folder|
      driver.run([STEP])
      assert_equal cpu.to_s, File.read(File.join(folder, "cpus")).split.last
    end
  end

  test "a tool that is not there is named, with what to do" do
    error = assert_raises(Mohs::EnvironmentError) { driver("/nowhere").run([STEP]) }
    assert_match(%r{\Awrk .*: apt install wrk, .* https://github\.com/wg/wrk\.\z}, error.message)
    assert_empty left
  end

  test "a tool that fails is told with its status and first lines, stderr before stdout" do
    with_tool("echo out; echo 'unable to connect' >&2; exit 3") do |driver|
      error = assert_raises(Mohs::Error) { driver.run([STEP]) }
      assert_equal "wrk ended with exit 3. Its output:\nunable to connect", error.message
      assert_empty driver.results
    end
    with_tool("seq 1 9; kill -9 $$") do |driver|
      assert_equal "wrk ended with killed by SIGKILL. Its output:\n1\n2\n3\n4\n5",
                   assert_raises(Mohs::Error) { driver.run([STEP]) }.message
    end
  end

  test "a tool that says something else, or bytes that are no text, is not believed" do
    with_tool("printf 'usage: \\377 wrk'") do |driver|
      assert_match(/\Athe output of wrk can't be read .*It began:\nusage: \? wrk\z/m,
                   assert_raises(Mohs::Error) { driver.run([STEP]) }.message)
    end
  end

  test "a tool that hangs is ended, with all that it started" do
    with_tool('sleep 60 & echo $! > "$(dirname "$0")/pid"; wait') do |driver, folder|
      launch = driver.launch(STEP)
      spawner = Mohs::Process::Spawner.new(base_env: { "PATH" => "#{folder}:#{ENV.fetch('PATH')}" })
      life = { where: "", limit_s: 0.2, cpus: nil, spawner: }
      execution = Mohs::Drivers::Peer::Execution.new("wrk", launch, **life)
      looks = 0
      error = assert_raises(Mohs::Error) { execution.call { looks += 1 } }
      assert_match(/\Awrk .*after 0\.2 s/, error.message)
      assert_operator looks, :>, 0
      pid = File.read(File.join(folder, "pid")).to_i
      assert_raises(Errno::ESRCH) { Process.kill(0, pid) }
    end
  end

  # `hangs` times.
  def with_siege(hangs)
    script = <<~SH
      cd "$(dirname "$0")"
      echo >> starts
      [ $(wc -l < starts) -gt #{hangs} ] && exec cat fine
      exec sleep 60
    SH
    with_tool(script, tool: "siege") do |driver, folder|
      driver.define_singleton_method(:limit_s) { |_| 2 }
      yield driver, -> { File.readlines(File.join(folder, "starts")).size }
    end
  end

  test "siege hangs now and then: it is started again" do
    with_siege(2) do |driver, starts|
      assert_operator driver.run([STEP]).first.good, :>, 0
      assert_equal 3, starts.call
    end
  end

  test "a siege that hangs each time is an error after the third" do
    with_siege(9) do |driver, starts|
      error = assert_raises(Mohs::Error) { driver.run([STEP]) }
      assert_match(/\Asiege .*after 2 s/, error.message)
      assert_equal [3, []], [starts.call, driver.results]
    end
  end

  test "the next run begins anew" do
    with_tool("#{SAY} && rm \"$(dirname \"$0\")/fine\"") do |driver|
      assert_equal 36_765, driver.run([STEP]).first.good
      assert_equal 36_765, driver.summary(0).good
      assert_raises(Mohs::Error) { driver.run([STEP]) }
      summary = driver.summary(0)
      assert_equal [[], nil, [nil]],
                   [driver.results, summary.good, summary.quantiles(:service, [0.5])]
    end
  end
end
