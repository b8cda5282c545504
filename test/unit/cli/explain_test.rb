# frozen_string_literal: true

require "test_helper"

# `mohs explain RUN`, over a store that has what it is given.
class CLIExplainTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-explain"

  STORM = { gc: 150.0, inside: { allocated_objects: 1600.0 } }.freeze

  def explain(*arguments, result: ExplainedResult.new(b: STORM, noise: 0.004).to_h)
    store = Mohs::Stored::Reader.new(result)
    mohs("explain", "7c1a", *arguments, store: -> { store })
  end

  test "the pair is the comparison's, either way round if it is named" do
    default, named, reversed = [[], %w[a b], %w[b a]].map do |pair|
      explain(*pair, "--json").json.slice(:a, :b, :why)
    end

    assert_equal %w[a b], default.values_at(:a, :b)
    assert_equal default, named
    assert_equal %w[b a], reversed.values_at(:a, :b)
    assert_match(/CPU a request \+.*garbage collection/, default[:why])
    assert_match(/CPU a request -.*garbage collection/, reversed[:why])
  end

  test "without a key the newest run is explained" do
    store = Mohs::Stored::Reader.new(ExplainedResult.new(b: STORM, noise: 0.004).to_h)

    assert_equal explain.out, mohs("explain", store: -> { store }).out
  end

  # A store of two runs, by their keys.
  class Two < Mohs::Stored::Reader
    def initialize(*results)
      @results = results.to_h { |result| [result[:run][:key], result] }
      super(results.first, runs: results.map { |result| result[:run] })
    end

    def run(key) = runs.find { |run| run.key == key }

    def result(id) = Mohs::Stored.run(@results.values.find { |one| one[:run][:id] == id })
  end

  test "without a key a newer run that has not two variants with figures is passed over" do
    full = ExplainedResult.new(b: STORM, noise: 0.004).to_h
    empty = SampleResult.new({ "3.1.2" => 1200 }).to_h
    empty[:run] = { **empty[:run], id: full[:run][:id].to_i + 1, key: "ffff" }
    store = Two.new(empty, full)

    assert_equal explain.out, mohs("explain", store: -> { store }).out
    assert_match(/run ffff .*two variants/,
                 mohs("explain", store: -> { Two.new(empty) }).err)
  end

  test "the table of a run of a published study needs its option" do
    result = ExplainedResult.new(b: STORM, noise: 0.004).to_h
    result[:run][:study].update(comparison: nil, published: { name: "shop-2023" })

    assert_match(/show its table: mohs show 7c1a --table$/, explain(result:).out)
    assert_match(/show its table: mohs show 7c1a$/, explain.out)
    assert_equal "shop-2023", explain("--json", result:).json[:reproduces]
  end

  test "it prints a screen, with status 0" do
    output = explain

    assert_equal 0, output.status
    assert_match(/^Why: CPU a request .*garbage collection/, output.out)
  end

  test "a run without readings says so" do
    output = explain(result: CompareResult.new([0.3, 0.31, 0.29]).to_h)

    assert_equal [2, ""], [output.status, output.out]
    assert_match(/run 7c1a .*no readings/, output.err)
  end

  test "a pair that differs by no more than chance has no why" do
    output = explain(result: ExplainedResult.new(noise: 0.02).to_h)

    assert_equal 0, output.status
    refute_match(/^Why/, output.out)
    assert_nil explain("--json", result: ExplainedResult.new(noise: 0.02).to_h).json[:why]
  end

  test "servers that were running already are left out, unless they are named" do
    result = ExplainedResult.new(b: STORM, cohorts: 3).to_h
    result[:run][:study].delete(:comparison)
    result[:run][:study][:variants] << { name: "c", refusal: nil, env: {} }
    result[:cohorts].each do |cohort|
      cohort[:trials] << cohort[:trials].first.then do |trial|
        trial.merge(variant: "c", facts: trial[:facts].except(:readings))
      end
    end

    assert_equal ["b", []], explain("--json", result:).json.values_at(:b, :others)
    assert_said(explain("a", "c", result:).err)
  end

  test "what is typed wrongly is a mistake with the nearest name" do
    { %w[a] => /B is missing/, %w[a a] => /the same variant/,
      %w[a bb] => /no figures of "bb". Did you mean "b"/ }.each do |arguments, expected|
      output = explain(*arguments)

      assert_equal 2, output.status
      assert_match expected, output.err
    end
  end

  test "a part of a name will do if only one variant has it" do
    result = ExplainedResult.new(b: STORM, noise: 0.004).to_h
    names = { "a" => "3.1.2, puma", "b" => "3.1.2, puma_dev" }
    result = JSON.parse(names.inject(JSON.generate(result)) { |text, (short, long)|
      text.gsub("\"#{short}\"", "\"#{long}\"").gsub("\"#{long}\":", "\"#{short}\":")
    }, symbolize_names: true)

    assert_equal names.values, explain("puma", "dev", "--json", result:).json.values_at(:a, :b)
    assert_includes explain("puma", "3.1.2", result:).err,
                    '"3.1.2" may be "3.1.2, puma" or "3.1.2, puma_dev".'
    assert_includes explain("puma", "zzz", result:).err,
                    'It has: "3.1.2, puma", "3.1.2, puma_dev".'
  end

  test "a run with nothing to compare has nothing to explain" do
    output = explain(result: SampleResult.new({ "3.1.2" => 1200 }).to_h)

    assert_equal 2, output.status
    assert_said(output.err)
  end

  test "two that were in no cohort together can't be explained" do
    result = SampleResult.new({ "a" => 1000, "b" => 1200, "c" => 900 }).to_h
    result[:cohorts].each_with_index do |cohort, index|
      cohort[:trials].reject! { |trial| trial[:variant] == (index.even? ? "b" : "c") }
    end
    output = explain("b", "c", result:)

    assert_equal 2, output.status
    assert_said(output.err)
  end
end
