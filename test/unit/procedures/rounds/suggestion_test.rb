# frozen_string_literal: true

require "test_helper"
require "shellwords"

module Mohs
  module Rounds
    class RoundsSuggestionTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-rounds"

      # verdicts: { name => [outcome, group] }, the fastest first.
      def document(verdicts, argv: [], command: "run", state: "finished", rounds: 3)
        base = { variant: "3.1.2", state: "measured", baseline: true, group: nil,
                 verdict: { outcome: "baseline" } }
        rows = verdicts.map do |variant, (outcome, group)|
          { variant:, state: "measured", baseline: false, group:, verdict: { outcome: } }
        end
        { state:, rows: [*rows, base], groups: groups(verdicts), rounds: { planned: rounds },
          provenance: Typed.provenance(*argv, command:) }
      end

      # One for each letter of these groups, which are "a" to "z" here.
      def groups(verdicts)
        verdicts.flat_map { |_, (_, group)| group.to_s.chars }.uniq.map do |mark|
          { mark:, variants: verdicts.filter_map { |name, (_, of)| name if of&.include?(mark) } }
        end
      end

      # notations: of the variants, by name, where these are not their names.
      def command(verdicts, file: nil, notations: {}, own_jit: false,
                  labelled: notations.keys - ["yours"], **options)
        variants = ["3.1.2", *verdicts.keys].map do |name|
          parsed = Study::Notation.parse(notations.fetch(name, name))
          Study::Variant.new(name:, **parsed.to_h.slice(:ruby, :flags, :env), server: "puma",
                                    processes: 2, threads: 5, own_jit:,
                                    labelled: labelled.include?(name))
        end
        study = Study.new(variants:, file:)
        Suggestion.of(document(verdicts, **options), study).map { |one| one[:command] }.first
      end

      test "a winner is compared with the baseline, for a narrower interval" do
        verdicts = { "3.4.5 --yjit" => ["faster", nil], "3.4.5" => ["slower", nil] }

        assert_equal [{ what: "narrower interval", command: 'mohs compare 3.1.2 "3.4.5 --yjit"',
                        hint: nil,
                        invocation: { command: "compare", options: [], lost: false,
                                      arguments: ["3.1.2", "3.4.5 --yjit"] } }],
                     Suggestion.of(document(verdicts), Study.new(variants: []))
      end

      test "the winner's rival shares its group, not a letter of the group's name" do
        verdicts = { "v1" => ["faster", "a"], "v27" => ["faster", "aa"], "w1" => ["faster", "a"] }
        pairs = [["a", %w[v1 w1]], ["aa", %w[v27 w27]]]
        shown = { **document(verdicts),
                  groups: pairs.map { |mark, variants| { mark:, variants: } } }

        assert_equal "mohs compare v1 w1",
                     Suggestion.of(shown, Study.new(variants: [])).first[:command]
      end

      test "a variant with a name of its own is written so that it is found again" do
        notations = { "fast" => "3.4.5 --yjit, A=1" }

        assert_equal 'mohs compare 3.1.2 "fast::3.4.5 --yjit, puma:2x5, A=1"',
                     command({ "fast" => ["faster", nil] }, notations:)
      end

      test "a variant with the application's own JIT keeps it" do
        row = { "yours" => ["faster", nil] }
        assert_said(command(row, notations: { "yours" => "3.4.5" }))
        assert_equal 'mohs compare 3.1.2 "mine::3.4.5 own-jit, puma:2x5"',
                     command({ "mine" => ["faster", nil] }, notations: { "mine" => "3.4.5" },
                                                            own_jit: true)
      end

      # What follows a run whose variant `b` ran the JIT that the baseline had, too.
      def instead(jit, file: nil, flag: "--yjit", study_env: {}, **settings)
        variants = [Study::Variant.new(name: "a", ruby: "3.4.5", own_jit: true),
                    Study::Variant.new(name: "b", ruby: "3.4.5", server: "puma", processes: 2,
                                       threads: 5, **settings)]
        unmet = Store::Trial.new(variant: "b", reason: Reason.new(code: "same_jit",
                                                                  values: { jit:, flag: }))
        argv = [*file, "--get", "/a", "--variant", "yours"]
        study = Study.new(variants:, file:, env: study_env)
        Suggestion.of(document({}, argv:), study, unmet:).first
      end

      test "two variants that ran the same JIT: nothing that would be refused is suggested" do
        assert_nil instead("off", flag: nil)
        assert_nil instead("yjit", study_env: { "RUBY_YJIT_ENABLE" => "1" })
        refute_match(/RUBY_YJIT/, instead("yjit", env: { "RUBY_YJIT_ENABLE" => "1" })[:command])
        [{ "RUBYOPT" => "-W0 --yjit" }, { "RUBYOPT" => "--disable=yjit" }].each do |env|
          assert_nil instead("yjit", study_env: env)
          assert_nil instead("yjit", env:)
        end
        refute_nil instead("yjit", study_env: { "RUBYOPT" => "-W0" })
        refute_nil instead("off", study_env: { "RUBY_YJIT_ENABLE" => "0" })
      end

      test "the two variants of a comparison are words of its command line" do
        rules = Compare::Rules.new(candidate: "b")
        unmet = Store::Trial.new(variant: "b", reason: Reason.new(code: "same_jit",
                                                                  values: { jit: "yjit" }))
        variants = %w[a b].map { |name| Study::Variant.new(name:, ruby: "3.4.5", server: "puma") }
        study = Study.new(variants:, rules:)
        argv = ["yours", "3.4.5 --yjit", "--quick", "--get", "/a"]

        compared = document({}, argv:, command: "compare")
        assert_equal 'mohs compare "3.4.5 own-jit, puma" "3.4.5 without YJIT, puma" --get /a',
                     Suggestion.of(compared, study, unmet:).first[:command]
      end

      test "two variants that ran the same JIT: the same with and without it" do
        assert_equal({ what: "with and without a JIT", hint: nil,
                       command: 'mohs compare "3.4.5 own-jit, puma:2x5, A=1" ' \
                                '"3.4.5 without YJIT, puma:2x5, A=1" --get /a' },
                     instead("yjit", env: { "A" => "1" }, flags: ["--yjit"]).except(:invocation))
        assert_equal 'mohs compare "3.4.5 own-jit, puma:2x5" "3.4.5 --yjit, puma:2x5" --get /a',
                     instead("off")[:command]
        assert_equal 'mohs run s.yml --get /a --variant "3.4.5 own-jit, puma:2x5" ' \
                     '--variant "3.4.5 without YJIT, puma:2x5"',
                     instead("yjit", file: "s.yml")[:command]
      end

      test "of a study file it is the file again, with these variants and more rounds" do
        verdicts = { "x" => %w[faster a], "y --yjit" => %w[faster a], "z" => ["undecided", nil] }
        argv = ["a/study.yml", "--connections", "2", "--json"]

        assert_equal 'mohs run a/study.yml --connections 2 --variant x --variant "y --yjit" ' \
                     "--baseline x --rounds 6", command(verdicts, file: "a/study.yml", argv:)
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
        argv = ["--variant", "3.4.5", "--get", "/a", "-H", "X-Shop: a", "--rounds=5", "--json",
                "--connections=2", "--own-config", "--quiet", "--budget", "60s"]

        assert_equal 'mohs compare 3.1.2 x --get /a -H "X-Shop: a" --connections 2 ' \
                     "--own-config", command({ "x" => ["faster", nil] }, argv:)
      end

      def suggested(argv)
        study = Study.new(variants: [])
        Suggestion.of(document({ "x" => ["faster", nil] }, argv:), study).first
      end

      test "secret headers are read from a file, which is to be written" do
        argv = ["--get", "/a", "-HCookie: a=hunter2", "--header", "Authorization: Bearer hunter2",
                "-H", "X-Shop: b", "--get", "/b", "--header=Cookie: hunter2", "--expect", "-H"]

        assert_equal({ what: "narrower interval",
                       command: "mohs compare 3.1.2 x --get /a --header-file FILE1 -H " \
                                '"X-Shop: b" --get /b --header-file FILE2 --expect -H',
                       hint: "in FILE1: Cookie: ... and Authorization: ...; " \
                             "in FILE2: Cookie: ..." },
                     suggested(argv).except(:invocation))
      end

      test "secret variables are, too, below those of other files" do
        argv = ["--env", "SECRET_KEY_BASE=hunter2", "--env-file", "a.env", "--env=API_KEY=hunter2",
                "--env", "A=1"]

        assert_equal ["mohs compare 3.1.2 x --env-file a.env --env A=1 --env-file FILE",
                      "in FILE: SECRET_KEY_BASE=... and API_KEY=..."],
                     suggested(argv).values_at(:command, :hint)
      end

      test "headers of a file stay those of that file, without a hint" do
        suggestion = suggested(%w[--header-file own.headers --get /a])

        assert_operator suggestion[:command], :end_with?, "--header-file own.headers --get /a"
        assert_nil suggestion.fetch(:hint)
      end

      test "of a file of an older mohs, a stopped run, or without two nothing is suggested" do
        one = { "x" => ["faster", nil] }

        of_older = document(one).merge(provenance: { argv: ["study.yml"], invocation: nil })
        assert_empty Suggestion.of(of_older, Study.new(variants: []))
        assert_nil command(one, state: "interrupted")
        assert_nil command({})
      end

      # What the command line says is measured, as the command itself reads it.
      def declared(argv)
        options = CLI::MeasurementOptions.new(CLI::Context.new, tell: ->(_) {})
        parser = CLI::Options.new { |one| options.define(one) }
        parser.permute(argv)
        options.declaration.slice(*%i[requests env connections cores own_config shield])
      end

      test "what was measured is read again from the command, however it was written" do
        [["--get", "/a", "-H", "X-Shop: b"], ["--get", "/a", "-HX-Shop: b"],
         ["--get=/a", "-HX-Shop: a=b", "--baseline", "--get", "--post", "/b"],
         ["--seed=3", "-H", "A: b", "--get", "/-H", "--expect", "--all", "--shield"],
         ["-HA: b", "--env", "A=b c", "--env=B=--get", "--cores", "1",
          "--own-config"]].each do |argv|
          command = command({ "x" => ["faster", nil] }, argv:)

          assert_equal declared(argv), declared(Shellwords.split(command).drop(4)), command
        end
      end

      test "a value in one word with its option gets one of its own" do
        argv = %w[--get /a --connections=2]

        assert_operator command({ "x" => %w[faster a] }, argv:), :end_with?,
                        "x --get /a --connections 2"
      end

      test "a value that is called as the study file is one" do
        argv = ["a.yml", "--expect", "a.yml", "--connections", "2"]

        assert_operator command({ "x" => %w[faster a] }, file: "a.yml", argv:), :start_with?,
                        "mohs run a.yml --expect a.yml --connections 2 --variant "
      end

      test "an option without a value, or with one if it has one" do
        { %w[--fleet] => "--fleet", %w[--fleet=slurm] => "--fleet=slurm" }.each do |argv, words|
          assert_equal "mohs compare 3.1.2 x #{words}", command({ "x" => %w[faster a] }, argv:)
        end
      end

      test "the options of a suggested command are read as those that were given" do
        argv = ["--get", "/a", "--fleet=slurm", "--env=A=b", "-HB: c", "--connections=2"]
        words = Shellwords.split(command({ "x" => %w[faster a] }, argv:)).drop(2)
        read = Typed.invocation(*words, command: "compare")

        assert_equal %w[3.1.2 x], read.arguments
        assert_equal Typed.invocation(*argv).options.map(&:to_h), read.options.map(&:to_h)
      end

      test "what has a secret that no file can replace is not suggested again" do
        assert_nil command({ "x" => %w[faster a] }, argv: ["--get", "/a?api_key=s3cr3t"])
      end

      test "a variant with a secret, which its name has masked, is not suggested" do
        named = "3.4.5, API_KEY=#{Secrets::MASK}"

        assert_nil command({ named => ["faster", nil] },
                           notations: { named => "3.4.5, API_KEY=hunter2" })
        assert_nil command({ named => ["faster", nil] }, labelled: [],
                           notations: { named => "3.4.5, API_KEY=hunter2" })
      end

      test "a procedure's own command has the options for it" do
        soak = Class.new(Procedure) { def command = "soak" }
        rules = Class.new(Rules) { define_method(:procedure) { |study| soak.new(study) } }.new
        study = Study.new(variants: [], rules:)
        commands = %w[soak run].map do |command|
          given = document({ "x" => ["faster", nil] }, argv: ["--get", "/a"])
          given[:provenance][:invocation][:command] = command
          Suggestion.of(given, study).map { |one| one[:command] }
        end

        assert_equal [["mohs compare 3.1.2 x --get /a"], []], commands
      end

      test "what was measured by another command than these is not suggested" do
        { "explain" => %w[7c1a --profile], "repro" => %w[shop --quick],
          "jobs" => %w[--count 5] }.each do |command, argv|
          assert_nil command({ "x" => %w[faster a] }, argv:, command:)
        end
      end

      test "the suggested commands have every option that they may be suggested with" do
        compare, run = %w[compare run].map { |command| Typed.parser(command).declared.keys }
        %w[run compare track gate bisect].each do |command|
          declared = Typed.parser(command).declared
          subject = declared.select { |_, about| about == "subject" }.keys

          assert_includes subject, "--get"
          assert_empty subject - compare, command
          assert_empty subject - run, command
        end
      end
    end
  end
end
