# frozen_string_literal: true

require "test_helper"

# Why two variants differ, as a document and as it is shown.
class ExplainScreenTest < Mohs::TestCase
  include Mohs::Screens

  JIT = { code: 130.0, gc: 40.0, system: 52.0, attested: { jit: "yjit" },
          inside: { allocated_objects: 400.0, gc_count: 0.008 },
          gauges: { jit_code_bytes: 1_900_000, heap_bytes: 41_000_000 } }.freeze
  PLAIN = { gauges: { heap_bytes: 30_000_000 } }.freeze

  def result(a: PLAIN, b: JIT, **options)
    ExplainedResult.new(a:, b:, noise: 0.004, **options).to_h
  end

  def explain(result, *pairs)
    pairs = [%w[a b]] if pairs.empty?
    Mohs::Report::ExplainModel.document(Mohs::Stored.analysis(result), pairs)
  end

  # The same cohorts as rounds of a run, with a third variant.
  def rounds
    result = result(cohorts: 3)
    result[:run][:study].delete(:comparison)
    result[:run][:study][:variants] << { name: "c", refusal: nil, env: {} }
    slower = result(b: { code: 400.0 }, cohorts: 3, seed: 9)
    result[:cohorts].zip(slower[:cohorts]) do |cohort, other|
      others = other[:trials].select { |trial| trial[:variant] == "b" }
      cohort[:trials] += others.map { |trial| trial.merge(variant: "c") }
    end
    result
  end

  test "parts of the difference, what moved besides and what did not" do
    document = explain(result)

    [100, 60].each { |width| assert_golden "explain-#{width}", screen(document, width:) }
  end

  test "what nothing explains" do
    assert_golden "explain-unexplained", screen(explain(result(a: {}, b: { code: 400.0 })))
  end

  test "too few cohorts for a test show all that is known" do
    assert_golden "explain-untested", screen(explain(result(cohorts: 2)))
  end

  test "a run shows each candidate against its baseline" do
    assert_golden "explain-run", screen(explain(rounds, %w[a b], %w[a c]))
  end

  test "a verdict has its why below it" do
    assert_golden "compare-why", screen(Mohs::Stored.document(result))
    assert_golden "run-why", screen(Mohs::Stored.document(rounds))
  end

  test "the document has exactly the keys of json.md" do
    contract = Mohs::JSONContract.new("In every document", "`explain`")
    documents = [explain(result), explain(result(cohorts: 2)), explain(rounds, %w[a b], %w[c b])]

    documents.each { |document| assert_empty contract.faults(document) }
    assert_nil documents.last[:others].first[:verdict]
    assert_equal "faster", documents.first[:verdict][:outcome]
  end

  test "shares and what is left add up, in the document too" do
    document = explain(result)
    shares = document[:causes].filter_map { |cause| cause[:share_of_difference] }

    assert_operator shares.size, :>=, 2
    assert_in_delta 1, shares.sum + document[:unexplained_share], 1e-9
  end
end
