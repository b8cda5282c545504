# frozen_string_literal: true

require "test_helper"

module Mohs
  module Process
    class ExitStatusTest < TestCase
      test "the status word of wait is a code or a signal" do
        assert_equal ExitStatus.new(code: 3), ExitStatus.from_wait(3 << 8)
        assert_equal ExitStatus.new(signal: 9), ExitStatus.from_wait(9)
        core_dump = 0x80
        assert_equal ExitStatus.new(signal: 6), ExitStatus.from_wait(6 | core_dump)
      end

      test "it shows as people say it" do
        assert_equal ["exit 0", "killed by SIGKILL", "killed by SIG63"],
                     [0, 9, 63].map { |word| ExitStatus.from_wait(word).to_s }
      end
    end
  end
end
