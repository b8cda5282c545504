# frozen_string_literal: true

require "test_helper"

class TurnTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-app-bundle"

  def turn(path, app, **rest) = Mohs::App::Bundle::Turn.new(path, app:, **rest)

  # As another mohs that installs: it has the lock until the block ends.
  def held(path, text)
    File.open(path, "w") do |file|
      file.flock(File::LOCK_EX)
      file.write(text)
      file.flush
      yield file
    end
  end

  test "whose turn it is can be read while it lasts, and not afterwards" do
    Dir.mktmpdir do |dir|
      path = "#{dir}/.lock"
      read = turn(path, "shop").take(proc { |line| flunk line }) { File.read(path) }
      assert_equal ["#{Process.pid} shop", ""], [read, File.read(path)]
      assert_raises(KeyError) { turn(path, "shop").take(proc {}) { raise KeyError } }
      assert_equal "", File.read(path)
    end
  end

  test "who waits is told each second for which process, for what and for how long" do
    Dir.mktmpdir do |dir|
      lines = []
      held("#{dir}/.lock", "4242 redmine") do |file|
        waiter = Thread.new { turn("#{dir}/.lock", "shop").take(lines.method(:push)) { :done } }
        Timeout.timeout(10) { sleep 0.05 until lines.size == 2 }
        file.flock(File::LOCK_UN)
        assert_equal :done, waiter.value
      end
      assert_said(*lines)
    end
  end

  test "a file that is removed meanwhile names nobody" do
    Dir.mktmpdir do |dir|
      path, lines = "#{dir}/.lock", []
      held(path, "4242 redmine") do
        see = lambda do |line|
          lines << line
          FileUtils.rm_f(path)
        end
        reason = turn(path, "shop", limit_s: 1).take(see) { flunk }
        assert_equal "installer_hangs", reason.code
      end
      assert_said(lines.last)
    end
  end

  test "one that hangs is named at the limit, with how to end it" do
    Dir.mktmpdir do |dir|
      held("#{dir}/.lock", "4242 redmine") do
        reason = turn("#{dir}/.lock", "shop", limit_s: 0).take(proc {}) { flunk }
        assert_equal ["installer_hangs", { process: 4242, minutes: 0 }],
                     [reason.code, reason.values]
        assert_match(/process 4242.*redmine/, reason.summary)
        assert_match(/kill 4242\z/, reason.remedy)
      end
      held("#{dir}/.lock", "") do
        assert_nil turn("#{dir}/.lock", "shop", limit_s: 0).take(proc {}) { flunk }.remedy
      end
    end
  end
end
