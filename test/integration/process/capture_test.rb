# frozen_string_literal: true

require "test_helper"

module Mohs
  module Process
    class CaptureTest < TestCase
      test "both streams and the status are returned, the input is empty" do
        result = Capture.call(sh("cat; echo out; echo err >&2; exit 3"), timeout_s: 20)
        assert_equal ["out\n", "err\n", 3], [result.stdout, result.stderr, result.status.code]
        refute result.timed_out
        refute_predicate result, :success?
      end

      test "one past its deadline is killed with all that it started; what it said is kept" do
        result = Capture.call(sh("echo begun; sleep 70 & sleep 71"), timeout_s: 0.3)
        assert result.timed_out
        assert_equal "begun\n", result.stdout
        assert_equal "killed by SIGKILL", result.status.to_s
      end

      test "one that leaves a daemon holding the pipe does not make us wait" do
        started = Clock.mono_ns
        result = Capture.call(sh("(setsid sleep 72 &); echo done"), timeout_s: 60)
        assert_equal ["done\n", true], [result.stdout, result.success?]
        assert_operator Clock.mono_ns - started, :<, 30_000_000_000
      end

      test "more than a pipe holds comes through whole" do
        script = "head -c 1000000 /dev/zero; head -c 300000 /dev/zero >&2"
        result = Capture.call(sh(script), timeout_s: 60)
        assert_equal [1_000_000, 300_000], [result.stdout.bytesize, result.stderr.bytesize]
      end

      test "one that is not there has the status of a shell" do
        result = Capture.call(Command.new(argv: ["mohs-no-such"]), timeout_s: 5)
        assert_equal 127, result.status.code
        assert_equal "mohs: cannot start mohs-no-such: No such file or directory\n", result.stderr
      end

      test "bytes that are no UTF-8 become question marks" do
        assert_equal "a?b", Capture.call(sh('printf "a\377b"'), timeout_s: 20).stdout
      end

      test "our own Ruby's settings do not reach it" do
        ENV["RUBY_MOHS_TEST"] = "1"
        result = Capture.call(sh("env"), timeout_s: 20)
        assert_empty result.stdout.lines.grep(/\A(RUBY|GEM_|BUNDLE)/)
      ensure
        ENV.delete("RUBY_MOHS_TEST")
      end

      private

      def sh(script) = Command.new(argv: ["sh", "-c", script])
    end
  end
end
