# frozen_string_literal: true

require "test_helper"

# Claims about shares of the CPU time, by made-up profiles of a run's servers.
class ReproShareEvidenceTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::SampledRuns

  # Microseconds a request of each variant, of 100.
  COSTS = { "old" => { application: 34, query: 60, gc: 6 },
            "new" => { application: 32, query: 61, gc: 7 },
            "jit" => { application: 27, query: 61, gc: 12 } }.freeze

  def judge(*statements, costs: COSTS, **options, &block)
    claims = statements.map.with_index do |yaml, index|
      "- {text: #{index}, place: p, #{yaml}}\n"
    end
    publication = publication(claims.join, study: "profile: true\n#{STUDY}")
    run, shares = sampled(publication, costs, **options, &block)
    tests = Mohs::Repro::Order.tests(run.stored)
    Mohs::Repro::Judge.new(publication, tests, run, shares:).call
  end

  def outcomes(...) = judge(...).map(&:outcome)

  def trial(cohort, variant) = cohort[:trials].find { |one| one[:variant] == variant }

  def codes(judgement) = judgement.findings.map(&:code)

  test "a share within its range agrees, one beyond it is contradicted, with no direction" do
    found = judge("share: {of: old, category: GC, published: 5.9 %, tolerance: 25 %}",
                  "share: {of: jit, category: GC, published: 5.9 %, tolerance: 25 %}",
                  "share: {of: jit, category: GC, above: 10 %, below: 14 %}",
                  "share: {of: jit, category: GC, above: 15 %}")

    assert_equal %w[agrees contradicted agrees contradicted], found.map(&:outcome)
    assert_in_delta 0.06, found[0].interval.value, 0.002
    assert_equal ["not 4.7 % to 7.4 %", "not above 15 %"],
                 found.values_at(1, 3).map { |one| Mohs::Report::Render.call(one.findings.first) }
    assert_equal "not below 3 %", Mohs::Report::Render.call(
      judge("share: {of: jit, category: GC, below: 3 %}").first.findings.first
    )
  end

  test "an interval that holds an end of the range is undecided, and says what would decide" do
    found = judge("share: {of: old, category: GC, above: 5.9 %}", noise: 0.1).first

    assert_equal "undecided", found.outcome
    assert_includes %w[repro_rounds repro_noisy], codes(found).first
    early = judge("share: {of: old, category: GC, above: 1 %}", rounds: 2).first
    assert_equal ["undecided", ["repro_few"]], [early.outcome, codes(early)]
  end

  test "no interval of a share ends above the whole, though one of a ratio may" do
    share, ratio = judge("share: {of: old, category: ActiveRecord, above: 50 %}",
                         "order: {more: ActiveRecord, than: application, in: old}", rounds: 3,
                                                                                    noise: 1.0)

    assert_in_delta 1.0, share.interval.high, 1e-12
    assert_operator ratio.interval.high, :>, 2
  end

  test "the shares of one category in two variants are compared as rates are" do
    found = judge("order: {more: jit, than: [new, old], category: GC}",
                  "order: {more: old, than: jit, category: GC}",
                  "equal: {of: new, to: old, category: ActiveRecord, margin: 10 %}",
                  "ratio: {of: jit, to: old, category: GC, published: 3, tolerance: 10 %}",
                  "bound: {of: new, to: old, category: GC, below: 1.5}")

    assert_equal %w[agrees contradicted agrees direction_only agrees], found.map(&:outcome)
    assert_in_delta 12 / 7.0, found[0].interval.value, 0.05
    assert_in_delta 2, found[3].interval.value, 0.05
  end

  test "two categories of one variant are compared within it" do
    found = judge("order: {more: ActiveRecord, than: [GC, application], in: old}",
                  "order: {more: GC, than: JSON, in: old}",
                  "bound: {of: GC, to: ActiveRecord, in: old, above: 0.5}")

    assert_equal %w[agrees agrees contradicted], found.map(&:outcome)
    assert_in_delta 60 / 34.0, found[0].interval.value, 0.05
  end

  test "a claim about shares is one of its table's tests" do
    shares = ["share: {of: old, category: GC, published: 5.9 %, tolerance: 25 %}",
              "order: {more: jit, than: old, category: GC}"]
    found = judge(*shares, "bound: {of: new, to: old, below: 3}")

    assert_equal Mohs::Stats::BenjaminiHochberg.adjust(found.map(&:p)), found.map(&:adjusted)
    assert(found.all? { |one| one.p < 0.01 })
  end

  test "a server without samples leaves its claims undecided, as one without figures does" do
    statement = "order: {more: jit, than: old, category: GC}"
    unsampled = judge(statement, costs: COSTS.except("jit")).first
    failed = judge(statement) do |result|
      result[:cohorts].each do |cohort|
        trial(cohort, "jit").merge!(state: "failed", reason: "no port", slices: [])
      end
    end.first

    assert_equal [["undecided", ["repro_unsampled"], "jit"],
                  ["undecided", ["repro_failed"], "jit"]],
                 [unsampled, failed].map { |one|
                   [one.outcome, codes(one), one.findings.first.values[:variant]]
                 }
    assert_equal 'no samples of "jit"', Mohs::Report::Render.call(unsampled.findings.first)
  end

  test "variants that were never in one cohort are not compared" do
    found = judge("order: {more: jit, than: new, category: GC}") do |result|
      result[:cohorts].each_with_index do |cohort, index|
        out = index.even? ? "jit" : "new"
        cohort[:trials].reject! { |trial| trial[:variant] == out }
      end
    end.first

    assert_equal ["undecided", ["repro_never_beside"]], [found.outcome, codes(found)]
  end

  test "a server that ended under load leaves its shares undecided" do
    found = judge("share: {of: jit, category: GC, above: 1 %}") do |result|
      trial(result[:cohorts][0], "jit").merge!(state: "failed", reason: "the server died")
    end.first

    assert_equal ["undecided", ["ended_under_load"]], [found.outcome, codes(found)]
  end

  test "without profiles, and without a run, nothing is decided" do
    publication = publication("- {text: A, place: p, share: {of: jit, category: GC, below: 9 %}}\n",
                              study: "profile: true\n#{STUDY}")
    tests = choose(publication).tests
    run = reproduced(publication, { "old" => 1000, "new" => 1050, "jit" => 1300 })
    found = [run, nil].map { |one| Mohs::Repro::Judge.new(publication, tests, one).call.first }

    assert_equal [["undecided", ["repro_unsampled"]], ["not_measured", ["repro_nothing"]]],
                 found.map { |one| [one.outcome, codes(one)] }
  end

  test "the source's own batches have no profiles" do
    publication = publication("- {text: A, place: p, share: {of: jit, category: GC, below: 9 %}}\n",
                              study: "profile: true\n#{STUDY}")
    tests = Mohs::Repro::Selection.new(publication, rubies: Mohs::Rubies, cores: 1).of_source

    assert_equal ["repro_raw"], tests.map { |test| test.obstacle.code }
  end

  test "a version that stood in shows the direction only" do
    study = "profile: true\nvariants: [\"old::2.7.4\", \"new::1.8.7\", \"jit::3.4.5\"]\n"
    publication = publication("- {text: A, place: p, share: {of: new, category: GC, below: 9 %}}\n",
                              more: "instead: {\"1.8.7\": [\"3.4\"]}", study:)
    names = choose(publication).variants.map { |_, notation| notation.label }
    costs = names.zip(COSTS.values).to_h
    run, shares = sampled(publication, costs)
    tests = Mohs::Repro::Order.tests(run.stored)
    found = Mohs::Repro::Judge.new(publication, tests, run, shares:).call.first

    assert_equal ["direction_only", %w[repro_share_within repro_stand_in]],
                 [found.outcome, codes(found)]
  end
end
