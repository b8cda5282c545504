# frozen_string_literal: true

require "test_helper"

# Every fuzz target for a minute, from its corpus on; `rake c:fuzz[SECONDS]` does it for longer.
class FuzzTest < Mohs::TestCase
  SECONDS = 60
  BUILD = Mohs::CBuild.new(compiler: "clang")

  def setup
    skip "clang is not installed" unless system("clang", "--version", out: File::NULL)
  end

  BUILD.fuzz_targets.each do |name|
    test "#{name} withstands a minute of fuzzing" do
      outcome = BUILD.run(*BUILD.fuzz_command(name, SECONDS))
      assert outcome.ok, outcome.output
      executed = outcome.output[/number_of_executed_units: (\d+)/, 1].to_i
      assert_operator executed, :>=, 10_000
    end
  end
end
