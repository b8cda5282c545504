# frozen_string_literal: true

require "test_helper"

module Mohs
  module Report
    class SuggestionTest < TestCase
      # verdicts: { name => [outcome, group] }, the fastest first.
      def document(verdicts, argv: [], state: "finished")
        base = { variant: "3.1.2", state: "measured", baseline: true, group: nil,
                 verdict: { outcome: "baseline" } }
        rows = verdicts.map do |variant, (outcome, group)|
          { variant:, state: "measured", baseline: false, group:, verdict: { outcome: } }
        end
        { state:, rows: [*rows, base], provenance: { argv: } }
      end

      def command(...) = Suggestion.of(document(...)).map { |one| one[:command] }.first

      test "a winner is compared with the baseline, for a narrower interval" do
        verdicts = { "3.4.5 --yjit" => ["faster", nil], "3.4.5" => ["slower", nil] }

        assert_equal [{ what: "closer", command: 'mohs compare 3.1.2 "3.4.5 --yjit"' }],
                     Suggestion.of(document(verdicts))
      end

      test "a winner that can't be told apart from another is compared with that" do
        verdicts = { "x" => %w[faster a], "y" => ["faster", "b"], "z" => %w[faster ab] }

        assert_equal "mohs compare x z", command(verdicts)
      end

      test "without a winner the undecided one comes first" do
        assert_equal "mohs compare 3.1.2 y", command({ "x" => ["equivalent", nil],
                                                       "y" => ["undecided", nil] })
        assert_nil command({ "x" => ["slower", nil], "y" => ["equivalent", nil] })
      end

      test "what was measured stays the same, whatever else was asked" do
        argv = ["--variant", "3.4.5", "--get", "/a", "-H", "Cookie: a=b", "--rounds=5", "--json",
                "--connections=2", "--own-config", "--quiet", "--budget", "60s"]

        assert_equal 'mohs compare 3.1.2 x --get /a -H "Cookie: a=b" --connections=2 --own-config',
                     command({ "x" => ["faster", nil] }, argv:)
      end

      test "of a study file, of a run that was stopped, or without two nothing is suggested" do
        one = { "x" => ["faster", nil] }

        assert_nil command(one, argv: ["study.yml"])
        assert_nil command(one, state: "interrupted")
        assert_nil command({})
      end

      test "every option of a run is either repeated or left out" do
        options = CLI::Run.new(CLI::Context.new, []).manual.scan(/^ +(?:-\w, )?(--[\w-]+)/).flatten
        taking = CLI::Run.new(CLI::Context.new, []).manual
                         .scan(/^ +(?:-\w, )?(--[\w-]+) [A-Z"]/).flatten.uniq

        refute_empty options
        assert_empty taking.reject { |name|
          { **Suggestion::KEPT, **Suggestion::DROPPED }[name] == 1
        }
      end
    end
  end
end
