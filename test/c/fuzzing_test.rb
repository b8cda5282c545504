# frozen_string_literal: true

require "test_helper"
require "tmpdir"

module Mohs
  # The fuzz targets on their seeds, with which .ci/run begins to fuzz them, and what becomes of a
  # finding. Fuzzing takes its time there and in test/slow.
  class FuzzingTest < TestCase
    FAULTY = File.expand_path("../fixtures/fuzz/faulty.c", __dir__)

    def setup
      skip "clang is not installed" unless Fuzzing.possible?
    end

    Fuzzing.targets.each do |name|
      slow_test "#{name} takes its seeds and reaches code with them" do
        fuzzed = Fuzzing.new.call(name, runs: 0)
        assert fuzzed.clean?, fuzzed.to_s
        assert_operator fuzzed.executions, :>=, 3
        assert_operator fuzzed.edges, :>=, 40
        assert_match(/\A#{name} +\d+ executions +\d+\/s +\d+ edges\z/, fuzzed.to_s)
      end
    end

    # Without inputs of libFuzzer's own: it sees what memcmp compares, and may guess "boom".
    slow_test "a finding is shown and kept, and the next run begins with it" do
      Dir.mktmpdir do |folder|
        fuzzing = Fuzzing.new(folder:)
        assert_predicate fuzzing.call("faulty", runs: 0, source: FAULTY), :clean?
        File.binwrite(File.join(fuzzing.findings, "faulty-of-before"), "boom")
        fuzzed = fuzzing.call("faulty", runs: 0, source: FAULTY)
        refute_predicate fuzzed, :clean?
        assert_match(/\A[^\n]*AddressSanitizer: use-after-poison/, fuzzed.problem)
        assert_includes fuzzed.to_s, "input: \"boom\"\nkept:  #{fuzzed.finding}\n"
        assert_equal "boom", File.binread(fuzzed.finding)
        assert_equal fuzzing.findings, File.dirname(fuzzed.finding)
      end
    end
  end
end
