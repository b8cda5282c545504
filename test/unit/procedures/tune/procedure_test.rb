# frozen_string_literal: true

require "test_helper"

class TuneProcedureTest < Mohs::TestCase
  include Mohs::CLIHelper

  SPEEDS = { "yours" => 1000.0, "1x1" => 700.0, "2x3" => 1300.0, "2x5" => 1295.0 }.freeze

  def plan(**options)
    made = SampleTuning.new(SPEEDS, shapes: { "yours" => [nil, nil] }, **options)
    run = made.analysis
    run.stored.study.procedure.further(run)
  end

  test "servers get connections for all their threads unless the user has given a number" do
    rules = Mohs::Tune::Rules.new(limit: Mohs::Load::Limit.parse("p99 < 200ms"))
    chosen, given = [nil, 16].map do |connections|
      fixture_study(rules:, connections:).procedure.loading
    end

    assert_equal [true, 22], [chosen.fills_threads?,
                              chosen.busy_connections(processes: 2, threads: 3)]
    assert_nil chosen.busy_connections(processes: 2, threads: nil)
    assert_equal [false, nil], [given.fills_threads?,
                                given.busy_connections(processes: 2, threads: 3)]
  end

  test "a race that goes on gets a round of those that are left" do
    added = plan(rounds: 3, boot_sd: 0.02).cohorts.drop(3)

    assert_equal [%w[2x3 2x5]], added.map { |one| one.variants.sort }
    assert_includes %w[2x3 2x5], added.first.baseline, "the present one was dropped"
  end

  test "a race that is over gets its searches" do
    added = plan(rounds: 6, limit: "p90 < 20 ms").cohorts.drop(6)

    assert_equal [%w[2x3 2x5 yours]] * 5, added.map { |one| one.variants.sort }
    assert(added.all? { |one| one.own[:search_s] })
  end

  test "where no search could count enough requests there are none" do
    assert_nil plan(rounds: 6, budget_s: 140)
  end

  test "behind the searches there is nothing" do
    assert_nil plan(rounds: 6, searched: { "2x3" => 900.0 })
  end
end
