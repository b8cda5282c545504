# frozen_string_literal: true

require "test_helper"

# Tokens of processes that end.
class TokenOfAnotherTest < Mohs::TestCase
  test "a process that has ended is not" do
    reader, writer = IO.pipe
    pid = fork { writer.write(Mohs::Cohort::Token.own) and exit!(0) }
    ::Process.wait(pid)
    writer.close

    refute Mohs::Cohort::Token.alive?(reader.read)
  end
end
