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

  test "a server that takes too long for the requests of a p99 is known beforehand" do
    had = ->(needed_s) { { had: 1, needed: 381, needed_s: } }
    most_s = 30 * 381.0 / 450 # half a second in each slice of thirty blocks

    assert_equal([true, true, false, false], [6.4, most_s - 0.1, most_s + 0.1, nil].map do |time_s|
      Mohs::Compare::ForTail.in_time?(**had.call(time_s))
    end)
  end

  test "who is said to have the requests of a p99 in time has them" do
    within, beyond = [10.0, 14.0, 15.0, 20.0, 41.0, 60.0, 130.0, 300.0].partition do |rate|
      Mohs::Compare::ForTail.in_time?(needed: 381, needed_s: 381 / rate)
    end
    loads = [within, beyond].map do |rates|
      rates.map do |rate|
        made = Mohs::Cohort::Schedule.new(orders: [%w[a]], rates: { "a" => rate }, requests: 450)
        rate * 2 * made.block_count * made.slice_ns / 1e9
      end
    end

    assert_equal [10.0, 14.0], beyond
    assert_operator loads.first.min, :>=, 450
    assert_operator loads.last.max, :<, 450
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
