# frozen_string_literal: true

require "test_helper"

class MachineLockTest < Mohs::TestCase
  test "a free machine is had at once, and is free again afterwards, whatever happened" do
    with_files do |folder|
      assert_equal :done, hold(folder) { :done }
      assert_raises(Interrupt) { hold(folder) { raise Interrupt } }
      assert_equal :again, hold(folder) { :again }
      assert_nil @waited
    end
  end

  test "who comes second is told which process has it, and waits its turn" do
    with_files do |folder|
      order = []
      other = Thread.new { hold(folder) { sleep 0.3 and order << :first } }
      sleep 0.01 until File.exist?(File.join(folder, "measuring"))
      sleep 0.1
      hold(folder) { order << :second }
      other.join

      assert_equal [%i[first second], [::Process.pid]], [order, @waited]
    end
  end

  test "a process that was killed has it no longer" do
    with_files do |folder|
      pid = fork { hold(folder) { sleep } }
      sleep 0.01 until locked?(folder)
      ::Process.kill("KILL", pid)
      ::Process.wait(pid)

      assert_equal :mine, hold(folder) { :mine }
      assert_nil @waited
    end
  end

  test "another user's file is no hindrance: to read it is enough" do
    with_files("measuring" => "") do |folder|
      File.chmod(0o444, File.join(folder, "measuring"))

      assert_equal :mine, hold(folder) { :mine }
    end
  end

  private

  def hold(folder, &)
    Mohs::Process::MachineLock.new(folder:).hold(wait: ->(holder) { (@waited ||= []) << holder }, &)
  end

  def locked?(folder)
    File.open(File.join(folder, "measuring")) { |file| !file.flock(File::LOCK_EX | File::LOCK_NB) }
  rescue Errno::ENOENT
    false
  end
end
