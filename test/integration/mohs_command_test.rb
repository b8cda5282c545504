# frozen_string_literal: true

require "test_helper"

# The limit of a command of the tests, on a machine that measures for others meanwhile.
class MohsCommandTest < Mohs::TestCase
  NAME = "mohs-test-#{Process.pid}".freeze
  # Queues for the machine, if that is asked for; then does nothing for so many seconds.
  COMMAND = <<~RUBY.freeze
    $LOAD_PATH.unshift(#{File.join(Mohs.root, 'lib').dump})
    require "mohs"
    queues, seconds = ARGV
    lock = Mohs::Process::MachineLock.new(name: #{NAME.dump})
    lock.hold(wait: ->(_) { warn "queued" }) { nil } if queues == "queue"
    warn "sleeps"
    sleep seconds.to_f
  RUBY

  # Once it has said this.
  def started(word, *arguments)
    with_files("exe/mohs" => COMMAND) do |root|
      command = Mohs::MohsCommand.new(root, root:, lock: NAME)
      command.start(*arguments)
      sleep 0.02 until command.output.include?(word)
      yield command
    end
  end

  test "waiting for the machine does not count" do
    held = Mohs::Process::MachineName.take(NAME)
    started("queued", "queue", "0") do |command|
      release = Thread.new { sleep 4 and held.release }
      assert_predicate command.finish(2).status, :success?
      release.join
    end
  ensure
    held&.release
  end

  test "one that does not end is ended, whoever has the machine" do
    held = Mohs::Process::MachineName.take(NAME)
    started("sleeps", "run", "600") do |command|
      error = assert_raises(RuntimeError) { command.finish(0.5) }
      assert_equal "mohs did not end within 0.5 s:\nsleeps\n", error.message
    end
  ensure
    held&.release
  end

  test "one that has had its turn and does not end is ended" do
    started("sleeps", "queue", "600") do |command|
      assert_raises(RuntimeError) { command.finish(0.5) }
    end
  end
end
