# frozen_string_literal: true

require "test_helper"

# Why two variants differ, as a document and as it is shown.
class ExplainScreenTest < Mohs::TestCase
  include Mohs::Screens

  JIT = { code: 130.0, gc: 40.0, system: 52.0, attested: { jit: "yjit" },
          inside: { allocated_objects: 400.0, gc_count: 0.008 },
          gauges: { jit_code_bytes: 1_900_000, heap_bytes: 41_000_000 } }.freeze
  PLAIN = { gauges: { heap_bytes: 30_000_000 } }.freeze
  PLACES = Mohs::ProfiledTrials::PLACES

  def result(a: PLAIN, b: JIT, **options)
    ExplainedResult.new(a:, b:, noise: 0.004, **options).to_h
  end

  def explain(result, *pairs)
    pairs = [%w[a b]] if pairs.empty?
    Mohs::Report::ExplainModel.document(Mohs::Stored.analysis(result), pairs)
  end

  # With samples of the stacks of its trials, which keep so many cores busy. query: the file of the
  # method that queries.
  def profiled(cores: 0.4, query: PLACES[:query].path)
    result = result(cohorts: 4, a: { **PLAIN, cores: }, b: { **JIT, cores: })
    result[:cohorts].flat_map { |cohort| cohort[:trials] }.each.with_index(1) do |trial, id|
      trial[:id] = id
    end
    same = { application: 30.0, query: 40.0, gc: 10.0 }
    made = Mohs::ProfiledTrials.new(
      a: { "cpu" => same, "wait" => { lock: 1.0 } },
      b: { "cpu" => { **same, application: 90.0 }, "wait" => { lock: 400.0 } }
    )
    run = Mohs::Stored.analysis(result)
    profiles = run.stored.cohorts.zip(made.pairs).flat_map { |cohort, pair|
      cohort.trials.map do |trial|
        profile = made.profiles[pair.fetch(trial.variant == "a" ? 0 : 1).first.id]
        frames = profile.frames.map do |frame|
          frame.dup.tap { |one| one.path = query if one.path == PLACES[:query].path }
        end
        [trial.id, Mohs::Profile.new(**profile.to_h, frames:)]
      end
    }.to_h
    Mohs::Report::ExplainModel.document(run, [%w[a b]], profiles:,
                                                        files: ["/srv/mohs-7c1a-a.speedscope.json"])
  end

  # The same cohorts as rounds of a run, with a third variant.
  def rounds
    result = result(cohorts: 3)
    result[:run][:study].delete(:comparison)
    result[:run][:provenance][:invocation] = SampleResult::INVOCATIONS["run"]
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

  # What collections spend in the kernel is taken off the code, too.
  BOTH = { code: 280.0, gc: 110.0, system: 110.0, gauges: PLAIN[:gauges] }.freeze

  test "parts that add up to more than the whole are shown as amounts" do
    document = explain(result(b: BOTH))
    lines = screen(document).lines(chomp: true)
    parts = lines.grep(/\A  (garbage collection|time in the kernel)  /)
    shares = document[:causes].filter_map { |cause| cause[:share_of_difference] }

    assert_operator shares.sum, :>, 1.1
    assert_equal 2, parts.grep(/\+(59|60|61) µs/).size
    assert_empty lines.grep(/\d %\z/)
    assert_equal 1, lines.grep(/\Aparts /).size
    assert_golden "explain-both", screen(document)
  end

  test "parts that add up to the whole, though one works against it, have shares" do
    code = { code: 200.0, attested: { jit: "yjit" }, gauges: JIT[:gauges] }
    lines = screen(explain(result(b: { **code, gc: 100.0 }))).lines(chomp: true)

    assert_equal 2, lines.grep(/\A  (garbage collection|Ruby code).* -?\d+ %\z/).size
    assert_empty lines.grep(/\Aparts /)
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

  test "a profile is shown by category and method, on a core and waiting" do
    document = profiled

    assert_empty Mohs::JSONContract.new("In every document", "`explain`").faults(document)
    paths = document.dig(:profile, :methods).to_h { |one| one.values_at(:name, :path) }
    assert_equal ["lib/price.rb", "activerecord-7.1/lib/relation.rb"],
                 paths.values_at("price", "exec_query")
    [100, 60].each { |width| assert_golden "explain-profile-#{width}", screen(document, width:) }
  end

  test "the gem of any server is the server's part, and what it needs beside is not" do
    { "unicorn-6.1.0/lib/unicorn.rb" => "server", "base64-0.2.0/lib/base64.rb" => "rest",
      "rack-3.1.8/lib/rack/builder.rb" => "rest" }.each do |path, category|
      methods = profiled(query: "#{Mohs::ProfiledTrials::GEMS}/#{path}").dig(:profile, :methods)

      assert_equal [category], methods.select { |one| one[:path] == path }
                                      .map { |one| one[:category] }.uniq
    end
  end

  test "a profile without waits says why" do
    document = profiled(cores: 0.6)

    assert_equal [false, ["cpu"]], [document[:profile][:waits],
                                    document[:profile][:categories].map { |one| one[:kind] }.uniq]
    assert_golden "explain-profile-busy", screen(document)
  end

  test "shares and what is left add up, in the document too" do
    document = explain(result)
    shares = document[:causes].filter_map { |cause| cause[:share_of_difference] }

    assert_operator shares.size, :>=, 2
    assert_in_delta 1, shares.sum + document[:unexplained_share], 1e-9
  end
end
