# frozen_string_literal: true

require "test_helper"

# `mohs doctor` as a process of its own, on this machine, however busy it is.
class DoctorCommandTest < Mohs::TestCase
  def with_mohs
    with_files do |dir|
      yield Mohs::MohsCommand.new(dir, env: { "XDG_STATE_HOME" => "#{dir}/state" }), dir
    end
  end

  def wait_until(seconds = 20)
    deadline = Mohs::Clock.deadline(seconds)
    sleep 0.02 until yield || Mohs::Clock.mono_ns > deadline
  end

  # Threads beside Ruby's own first one that have a CPU of their own to run on.
  def pinned(pid)
    Dir.glob("/proc/#{pid}/task/*/status").count do |path|
      File.read(path)[/^Cpus_allowed_list:\s*(\S+)/, 1].match?(/\A\d+\z/)
    rescue SystemCallError
      false
    end
  end

  test "whatever the host is like, it is well described, and the exit status is 0" do
    with_mohs do |mohs|
      output = mohs.call("doctor", "--json", "--seconds", "1", "--checks-only")

      assert_predicate output.status, :success?, output.err
      assert_empty Mohs::JSONContract.new("`doctor`").faults(output.json)
      names = (output.json[:checks] + output.json[:unknown]).map { |check| check[:name] }
      assert_equal Mohs::Analysis::Host.names.sort, names.sort
      assert_match(/\Amohs doctor: .*core.* 1 s\n\z/, output.err)
    end
  end

  slow_test "it measures an application against itself, and says what that resolves" do
    with_mohs do |mohs|
      output = mohs.call("doctor", "--json", "--seconds", "1",
                       "--app", File.join(Mohs.root, "apps/hello"))

      assert_predicate output.status, :success?, output.err
      assert_equal 3, output.json[:self_test][:cohorts], output.err
      seconds = output.json[:self_test][:resolves].map { |one| one[:seconds] }
      known = seconds.compact # a busy host is too noisy for the small ones
      assert_equal known.sort, seconds.first(known.size), "a smaller difference takes no less"
      assert_includes output.err, "measuring hello against itself"
    end
  end

  { "INT" => 130, "TERM" => 143 }.each do |signal, status|
    test "#{signal} ends it long before its time" do
      skip "one CPU: no thread is pinned more than Ruby is" if Mohs::Process::CpuSet.available.one?

      with_mohs do |mohs|
        pid = mohs.start("doctor", "--seconds", "60")
        cores = Mohs::Process::CpuSet.available.size
        wait_until { pinned(pid) == cores }
        assert_equal cores, pinned(pid)
        ::Process.kill(signal, pid)
        output = mohs.finish(30)

        assert_equal [status, "", true],
                     [output.status.exitstatus, output.out, output.err.end_with?("mohs: stopped\n")]
      end
    end
  end

  test "two at a time take turns" do
    with_mohs do |mohs|
      Mohs::Process::MachineLock.new.hold(wait: ->(_) {}) do
        pid = mohs.start("doctor", "--seconds", "1", "--checks-only")
        wait_until { mohs.output.match?(/waiting .*\(process #{::Process.pid}\)/) }
        assert_match(/waiting .*\(process/, mohs.output)
        assert_equal 0, pinned(pid)
      end
      assert_predicate mohs.finish(60).status, :success?
    end
  end

  test "nothing to undo is no fault, and leaves nothing behind" do
    with_mohs do |mohs, dir|
      output = mohs.call("doctor", "--undo", "--seconds", "1", "--quiet", "--checks-only")

      assert_includes output.out, "Nothing to change."
      assert_empty output.err
      refute_path_exists "#{dir}/state"
    end
  end
end
