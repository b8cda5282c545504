# frozen_string_literal: true

require "test_helper"
require "json"

module Mohs
  class InvocationTest < TestCase
    test "what was typed is kept as values, however it was written" do
      typed = Typed.invocation("--get=/a", "study.yml", "-HX-Shop: b", "--header=A: b",
                               "--own-config", "--seed", "3")

      assert_equal ["run", ["study.yml"]], [typed.command, typed.arguments]
      assert_equal [["--get", "/a", "subject"], ["-H", "X-Shop: b", "subject"],
                    ["-H", "A: b", "subject"],
                    ["--own-config", nil, "subject"], ["--seed", "3", "extent"]],
                   typed.options.map { |one| [one.name, one.value, one.about] }
      assert_equal ["--get", "/a", "-H", "X-Shop: b", "-H", "A: b", "--own-config", "--seed", "3"],
                   typed.options.flat_map(&:words)
    end

    test "a word that is called like an option is the value that it is" do
      typed = Typed.invocation("--expect", "--seed", "--get", "/-H")

      assert_equal [["--expect", "--seed"], ["--get", "/-H"]],
                   typed.options.map { |one| [one.name, one.value] }
    end

    test "a secret is nowhere in it; its option says which file may hold it" do
      typed = Typed.invocation("3.4.5, API_KEY=hunter2", "--env", "API_KEY=hunter2", "--env", "A=1",
                               "-H", "Cookie: a=hunter2", "--get", "/?token=hunter2",
                               command: "compare")

      refute_includes JSON.generate([typed.to_h, typed.argv]), "hunter2"
      assert_equal ["3.4.5, API_KEY=[secret]"], typed.arguments
      assert_equal [["API_KEY=[secret]", { file: "--env-file", line: "API_KEY=..." }], ["A=1", nil],
                    ["Cookie: [secret]", { file: "--header-file", line: "Cookie: ..." }],
                    ["/?token=[secret]", nil]],
                   typed.options.map { |one| [one.value, one.secret] }
      assert_equal [true, [false, false, false, true]], [typed.lost, typed.options.map(&:lost)]
    end

    test "a word that looks like a mask hides no secret" do
      typed = Typed.invocation("3.4.5, A=[secret]", "--get", "/?a=[secret]", command: "compare")

      assert_equal [false, [false]], [typed.lost, typed.options.map(&:lost)]
    end

    test "it survives JSON" do
      typed = Typed.invocation("--env", "API_KEY=hunter2", "--quiet").to_h

      assert_equal typed, JSON.parse(JSON.generate(typed), symbolize_names: true)
    end

    MEASURING = %w[run compare tune jobs gate bisect track explain repro load].freeze

    MEASURING.each do |command|
      test "each option of mohs #{command} says what it is about" do
        declared = Typed.parser(command).declared

        assert_operator declared.size, :>, 5
        assert_empty declared.values.uniq - Invocation::Option::ABOUT,
                     declared.select { |_, about| about.nil? }.keys.join(" ")
      end
    end

    test "every command that measures is among these" do
      found = CLI::COMMANDS.select { |name| CLI.command(name) <= CLI::Measuring }

      assert_equal %w[resume], found - MEASURING, "it goes on with what another one was asked"
    end
  end
end
