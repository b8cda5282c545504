# frozen_string_literal: true

require "test_helper"

class BestEffortOutputTest < Mohs::TestCase
  test "what is said to a pipe that nobody reads any more is lost, and nothing else" do
    reader, writer = IO.pipe
    writer.sync = true # as $stderr is
    output = Mohs::CLI::BestEffortOutput.new(writer)
    output.puts("one")
    assert_equal "one\n", reader.gets

    reader.close
    assert_equal([nil] * 3, %i[puts print write].map { |shown| output.public_send(shown, "two") })
    refute_predicate output, :tty?
  ensure
    [reader, writer].each(&:close)
  end

  test "a disk that is full of it is no reason to stop" do
    skip "no /dev/full here" unless File.exist?("/dev/full")
    full = File.open("/dev/full", "w").tap { |file| file.sync = true }

    assert_nil Mohs::CLI::BestEffortOutput.new(full).puts("more")
  ensure
    full&.close
  end
end
