# frozen_string_literal: true

require "test_helper"

module Mohs
  # A program of Ruby on another machine, where a shell of this one plays ssh.
  class FleetRemoteTest < TestCase
    def remote(script, **options) = Fleet::Remote.new("lab@b", ssh: ["sh", "-c", script], **options)

    # The message of the error.
    def refused(script, **options)
      assert_raises(EnvironmentError) { remote(script, **options).call("", "") }.message
    end

    test "lines of JSON are handed over as they come, and the last is the answer" do
      seen = []
      script = "cat; echo; echo Welcome; echo '{\"step\":1}'; printf '{\"done\":true}'"
      answer = remote(script).call("{}", "input") { |line| seen << line }

      assert_equal [{ done: true }, [{}, { step: 1 }, { done: true }]], [answer, seen]
    end

    test "without an answer the last lines say why" do
      assert_equal "b c d", refused("echo a; echo b; echo; echo c >&2; echo d")
      assert_equal "it ended without an answer", refused("exit 255")
      missing = Fleet::Remote.new("b", ssh: ["no-such-ssh"])
      error = assert_raises(EnvironmentError) { missing.call("", "") }
      assert_equal "ssh is not installed here.", error.message
    end

    test "of a line without an end little is kept" do
      message = refused("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end")

      assert_operator message.bytesize, :<, 4 * Fleet::Remote::MOST_LINE
      assert message.end_with?(" end")
    end

    test "a step that takes too long ends it, however stubborn ssh is and whatever it prints" do
      ["exec sleep 60", "trap '' TERM; while :; do sleep 0.1; done",
       "while :; do echo busy; sleep 0.1; done"].each do |script|
        assert_match(/\Alab@b .*1 min\. /, refused(script, step_s: 0.5))
      end
    end

    test "each step has its time" do
      script = "for i in 1 2 3; do sleep 0.6; echo '{\"step\":1}'; done"

      assert_equal({ step: 1 }, remote(script, step_s: 1.5).call("", ""))
    end

    test "what ssh leaves behind with its output open is not waited for" do
      pid = remote("sleep 60 & echo \"{\\\"pid\\\":$!}\"").call("", "").fetch(:pid)

      assert_equal 1, ::Process.kill(:TERM, pid)
    end
  end
end
