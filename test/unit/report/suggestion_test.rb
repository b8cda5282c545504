# frozen_string_literal: true

require "test_helper"

module Mohs
  module Report
    class SuggestionTest < TestCase
      # verdicts: { name => [outcome, group] }, the fastest first.
      def document(verdicts, argv: [], state: "finished", rounds: 3)
        base = { variant: "3.1.2", state: "measured", baseline: true, group: nil,
                 verdict: { outcome: "baseline" } }
        rows = verdicts.map do |variant, (outcome, group)|
          { variant:, state: "measured", baseline: false, group:, verdict: { outcome: } }
        end
        { state:, rows: [*rows, base], provenance: { argv: }, rounds: { planned: rounds } }
      end

      # notations: of the variants, by name, where these are not their names.
      def command(verdicts, file: nil, notations: {}, **options)
        variants = ["3.1.2", *verdicts.keys].map do |name|
          parsed = Study::Notation.parse(notations.fetch(name, name))
          Study::Variant.new(name:, **parsed.to_h.slice(:ruby, :flags, :env), server: "puma",
                                    processes: 2, threads: 5)
        end
        study = Study.new(variants:, file:)
        Suggestion.of(document(verdicts, **options), study).map { |one| one[:command] }.first
      end

      test "a winner is compared with the baseline, for a narrower interval" do
        verdicts = { "3.4.5 --yjit" => ["faster", nil], "3.4.5" => ["slower", nil] }

        assert_equal [{ what: "narrower interval", command: 'mohs compare 3.1.2 "3.4.5 --yjit"' }],
                     Suggestion.of(document(verdicts), Study.new(variants: []))
      end

      test "a variant with a name of its own is written so that it is found again" do
        notations = { "fast" => "3.4.5 --yjit, A=1" }

        assert_equal 'mohs compare 3.1.2 "fast::3.4.5 --yjit, puma:2x5, A=1"',
                     command({ "fast" => ["faster", nil] }, notations:)
      end

      test "of a study file it is the file again, with these variants and more rounds" do
        verdicts = { "x" => %w[faster a], "y --yjit" => %w[faster a], "z" => ["undecided", nil] }
        argv = ["a/study.yml", "--connections", "2", "--json"]

        assert_equal 'mohs run a/study.yml --variant x --variant "y --yjit" --baseline x ' \
                     "--rounds 6 --connections 2", command(verdicts, file: "a/study.yml", argv:)
        assert_equal "mohs run study.yml --variant 3.1.2 --variant z --baseline 3.1.2 --rounds 10",
                     command(verdicts.slice("z"), file: "study.yml", rounds: 5)
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

      test "of a file of an older mohs, a stopped run, or without two nothing is suggested" do
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
