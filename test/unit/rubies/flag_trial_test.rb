# frozen_string_literal: true

require "test_helper"

module Mohs
  class RubiesFlagTrialTest < TestCase
    include RubyFacts

    # What an interpreter prints => the complaint.
    COMPLAINTS = {
      "/opt/r/bin/ruby: invalid option --yjti  (-h will show valid options) (RuntimeError)\n" =>
        "invalid option --yjti",
      "/usr/bin/ruby: invalid yjit option `bogus=3' (--help will show valid yjit options) " \
        "(RuntimeError)" => "invalid yjit option `bogus=3'",
      "/r/ruby: warning: RJIT and YJIT cannot both be enabled at the same time. Exiting\n" =>
        "RJIT and YJIT cannot both be enabled at the same time. Exiting",
      "jruby: unknown option --yjti\n" => "unknown option --yjti",
      "Exception in thread \"main\" java.lang.IllegalArgumentException: Could not find option " \
        "with name ruby.yjti.\n\tat org.graalvm.x(y)\n" =>
        "Could not find option with name ruby.yjti.",
      "" => "it ends with exit 1",
    }.freeze

    def trial(answer, asked = [])
      capture = lambda do |command, timeout_s:|
        asked << [command, timeout_s]
        answer
      end
      Rubies::FlagTrial.new(capture:)
    end

    COMPLAINTS.each_with_index do |(printed, complaint), index|
      test "complaint #{index + 1} is one line, without the path" do
        found = trial(answer(stderr: printed, code: 1)).call(ruby, flags: ["--yjti"])

        assert_equal complaint, found
      end
    end

    test "the Ruby is started once, with flags and variables, in the folder, to do nothing" do
      asked = []
      one = trial(answer, asked)
      2.times do
        env = { "RUBYOPT" => "-W1", "A" => "1" }
        assert_nil one.call(ruby, flags: ["-W0"], env:, dir: "/a")
      end

      assert_equal 1, asked.size
      command, = asked.first
      assert_equal ["/rubies/3.4.5/bin/ruby", "-W0", "-e", "0"], command.argv
      assert_equal ["/a", "-W1"], [command.chdir, command.env["RUBYOPT"]]
    end

    test "what was tried when the Ruby was found is not tried again" do
      known = ruby(flags: %w[--yjit --rjit])
      asked = []
      one = trial(answer, asked)

      assert_nil one.call(known, flags: ["--yjit"], env: { "MALLOC_ARENA_MAX" => "2" })
      assert_nil one.call(known, flags: [])
      assert_empty asked
      one.call(known, flags: ["--yjit", "--rjit"])
      one.call(known, flags: [], env: { "RUBYOPT" => "--yjit" })
      assert_equal 2, asked.size
    end

    test "code is tried as flags are, once" do
      asked = []
      one = trial(answer(stderr: "-e:1:in `<main>': undefined method `warmup'\n", code: 1), asked)

      2.times do
        assert_equal "undefined method `warmup'", one.code(ruby, "Process.warmup")
      end
      assert_equal [["/rubies/3.4.5/bin/ruby", "-e", "Process.warmup"]],
                   asked.map { |command, _| command.argv }
      assert_nil trial(answer).code(ruby, "GC.compact")
    end

    test "a library that only the bundle has tells nothing, nor does a slow interpreter" do
      missing = answer(stderr: "cannot load such file -- bootsnap (LoadError)", code: 1)

      assert_nil trial(missing).call(ruby, flags: ["-rbootsnap"])
      assert_nil trial(answer(timed_out: true)).call(ruby, flags: ["-W0"])
    end
  end
end
