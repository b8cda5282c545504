# frozen_string_literal: true

require "test_helper"
require "json"
require "shellwords"

module Mohs
  module Report
    class ProposalTest < TestCase
      def of(...) = Proposal.of(Typed.invocation(...).to_h)

      test "it is what was typed, with settings in place of those with the same names" do
        typed = of("3.4.5", "3.1.2", "--get", "/a", "--budget", "1m", "--margin=2%",
                   command: "compare")

        assert_equal "mohs compare 3.4.5 3.1.2 --get /a --budget 1m --margin 2%", typed.line
        assert_equal "mohs compare 3.4.5 3.1.2 --get /a --margin 2% --budget 5m",
                     typed.with(budget_s: 300).line
        assert_equal "mohs compare 3.4.5 3.1.2 --get /a", typed.about("subject").line
        assert_equal "mohs compare 3.4.5 3.1.2 --budget 1m --margin 2%",
                     typed.except("subject").line
        assert_equal "mohs --get /a --budget 1m --margin 2%", typed.to(nil).line
      end

      test "a list sets an option several times, true one without a value, nil none" do
        assert_equal 'mohs run --variant x --variant "y --yjit" --all',
                     Proposal.to("run", variants: ["x", "y --yjit"], all: true, app: nil).line
      end

      test "a secret is read from a file, and the line says what to write there" do
        typed = of("--header", "Cookie: a=hunter2", "--get", "/").with_secret("API_KEY")

        assert_equal "mohs run --header-file FILE1 --get / --env-file FILE2", typed.to_s
        assert_equal "in FILE1: Cookie: ...; in FILE2: API_KEY=...", typed.hint
        assert_equal "#{typed} # #{typed.hint}", typed.line
        assert_predicate typed, :whole?
        refute_predicate of("--get", "/?token=hunter2"), :whole?
      end

      test "nothing is proposed from what was typed for another command, or can't be typed again" do
        typed = ->(*argv, **to) { { invocation: Typed.invocation(*argv, **to).to_h } }

        assert_nil Proposal.typed_for(typed.call("--get", "/"), command: "tune")
        assert_nil Proposal.typed_for(typed.call("--get", "/?token=hunter2"), command: "run")
        assert_nil Proposal.typed_for({ invocation: nil }, command: "run")
        assert_nil Proposal.typed_for(typed.call("3.4.5, API_KEY=hunter2", command: "compare"),
                                      command: "compare")
        assert_equal "mohs run --seed 3",
                     Proposal.typed_for(typed.call("--get", "/?token=hunter2", "--seed", "3"),
                                        command: "run", about: %w[extent]).line
      end

      test "a pasted line runs nothing of its words" do
        line = Proposal.to("show", "7c1a", log: "a$(id)`id`").line

        assert_equal ["mohs", "show", "7c1a", "--log", "a$(id)`id`"], Shellwords.split(line)
        assert_equal "mohs show 7c1a --log 'a$(id)`id`'", line
      end

      test "it survives the document" do
        proposal = of("--get", "/a b", "-HCookie: a=hunter2").with(rounds: 6)
        document = JSON.parse(JSON.generate(proposal.to_document), symbolize_names: true)

        assert_equal proposal, Proposal.of(document[:invocation])
        assert_equal proposal.to_s, document[:command]
        assert_equal proposal.hint, document[:hint]
      end

      # What mohs compare makes of words.
      def read(*words)
        measurement = CLI::MeasurementOptions.new(CLI::Context.new, tell: ->(_) {})
        comparison = CLI::ComparisonOptions.new
        CLI::Options.new do |parser|
          measurement.define(parser)
          comparison.define(parser)
        end.permute(words)
        { **measurement.declaration, **comparison.to_h }
      end

      test "the options read a setting as the value that it has" do
        settings = { budget_s: 300, warm_up_s: 50, margin_share: 0.0025, rounds: 6, connections: 8 }
        settings.each do |key, value|
          read = read(*Shellwords.split(Proposal.typed(key => value)))
          assert_in_delta value, read[key] || read.fetch(:margin), 1e-9
        end
      end

      test "the unit of a setting is in its name, whoever has the option" do
        typed = Proposal.typed(soak_time_s: 300, loss_share: 0.005)

        assert_equal "--soak-time 5m --loss 0.5%", typed
      end

      test "a time is rounded up, so that it suffices" do
        assert_equal 360, read(*Shellwords.split(Proposal.typed(budget_s: 301.2)))[:budget_s]
      end
    end
  end
end
