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

  NAMESPACE = %w[unshare --user --map-root-user --pid --fork --kill-child --mount-proc].freeze

  test "nothing is known of a process in another container, which has this machine's name" do
    skip "no namespaces here" unless system(*NAMESPACE, "true", out: File::NULL, err: File::NULL)

    script = 'require "mohs"; print Mohs::Cohort::Token.own'
    token = IO.popen([*NAMESPACE, *Mohs::Fleet.mohs.take_while { |word| !word.end_with?("/mohs") },
                      "-e", script], &:read)
    host, pid, = token.split(":")

    assert_equal Socket.gethostname, host
    assert_operator pid.to_i, :<, 100, "numbers of processes are its own"
    assert Mohs::Cohort::Token.alive?(token)
    assert_nil Mohs::Cohort::Token.holder(token)
  end
end
