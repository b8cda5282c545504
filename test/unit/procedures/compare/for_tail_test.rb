# frozen_string_literal: true

require "test_helper"

class ForTailTest < Mohs::TestCase
  SHORT = { had: 240, needed: 381, needed_s: 6.0 }.freeze

  def variants(*names, **settings)
    names.map { |name| Mohs::Study::Variant.new(name:, ruby: "3.1.2", **settings) }
  end

  # What gets the requests that B lacks after `argv` was typed.
  def found(*argv, variants: variants("a", "b"), command: "run", rules: {}, shortage: SHORT)
    study = {}
    study[:rules] = Mohs::Compare::Rules.new(candidate: "b", gates: [], **rules) if
      command == "compare"
    study = Mohs::Study.new(variants:, baseline: "a", **study)
    provenance = argv.empty? ? {} : Mohs::Typed.provenance(*argv, command:)
    stored = Struct.new(:study, :provenance).new(study, provenance)
    Mohs::Procedure.for_tail(stored, shortage, name: "b")
  end

  test "a run is compared by its p99, with the application that was typed" do
    proposal = found("--app", "shop", "--get", "/x", "a", "b")

    assert_equal ["mohs compare a b --app shop --get /x --metric p99", 6.0],
                 proposal.values_at(:command, :load_s)
    assert_equal "compare", proposal[:invocation][:command]
  end

  test "a rate stays a rate, and the load is as long as it takes at that rate" do
    rated = variants("a", "b", rate: 100)
    compared = found("a", "b", "--rate", "100", command: "compare", variants: rated)

    assert_equal ["mohs compare a b --rate 100 --metric p99", 4.5],
                 compared.values_at(:command, :load_s)
    assert_equal "mohs compare A B --rate 100 --metric p99", found(variants: rated)[:command]
  end

  test "nothing is proposed that has no answer, or was asked for already" do
    assert_nil found("a", "b", command: "compare", rules: { metric: "p99" })
    assert_nil found("a", variants: variants("a"))
    assert_nil found("a", "b", shortage: { **SHORT, needed_s: 100.0 })
    assert_nil found("a", "b", variants: variants("a") + variants("b", rate: 100))
  end
end
