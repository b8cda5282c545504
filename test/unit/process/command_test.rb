# frozen_string_literal: true

require "test_helper"

module Mohs
  module Process
    class CommandTest < TestCase
      test "it is frozen data that turns its arguments into strings" do
        command = Command.new(argv: ["sleep", 1])
        assert_equal %w[sleep 1], command.argv
        assert_equal({}, command.env)
        assert_predicate command, :frozen?
        assert_raises(FrozenError) { command.argv << "2" }
      end

      test "it shows as it could be typed" do
        command = Command.new(argv: %w[sleep 1], env: { "A" => "b", "C" => nil })
        assert_equal "A=b -u C sleep 1", command.to_s
      end

      test "as a script it keeps its environment and words, and adds its own arguments" do
        command = Command.new(argv: %w[echo $X] + ["a b"], env: { "X" => "1 2", "C" => nil })
        assert_equal <<~'SH', command.to_script
          #!/bin/sh
          export X=1\ 2
          unset C
          exec echo \$X a\ b "$@"
        SH
      end

      test "it needs an executable" do
        assert_raises(ArgumentError) { Command.new(argv: []) }
      end
    end
  end
end
