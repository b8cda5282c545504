# frozen_string_literal: true

require "test_helper"

# A minute of fuzzing in all, as .ci/run does it; `rake c:fuzz[SECONDS]` does it for longer.
class FuzzTest < Mohs::TestCase
  TARGETS = Mohs::Fuzzing.targets
  SECONDS = 60 / TARGETS.size

  def setup
    skip "clang is not installed" unless Mohs::Fuzzing.possible?
  end

  TARGETS.each do |name|
    test "#{name} withstands its part of a minute of fuzzing" do
      fuzzed = Mohs::Fuzzing.new.call(name, seconds: SECONDS)
      assert fuzzed.clean?, fuzzed.to_s
      assert_operator fuzzed.executions, :>=, 10_000
    end
  end
end
