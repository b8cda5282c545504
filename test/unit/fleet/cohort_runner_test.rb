# frozen_string_literal: true

require "test_helper"

class FleetCohortRunnerTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-fleet"

  TOKEN = Mohs::Cohort::Token

  # As Runner, but it takes no time; notes who was made, and what for.
  class Measures
    class << self
      attr_accessor :made
    end

    def initialize(store:, run_id:, **)
      @store = store
      @own = (self.class.made[run_id] = [])
    end

    def only(id, data)
      @own << [id, data]
      @store.claim(id, TOKEN.own)
      @store.finish_cohort(id, "done", token: TOKEN.own)
      true
    end
  end

  def setup
    Measures.made = {}
    @dir = Dir.mktmpdir("mohs-test")
    @store = Mohs::Store.open(File.join(@dir, "mohs.db"))
    @data = Mohs::Trial::ServiceData.new(@dir, spawner: Mohs::Process::Spawner.new)
    @runner = Mohs::Fleet::CohortRunner.new(store: @store, host: "h", setups: Mohs::Trial::Setups.new,
                                    data: @data, runner: Measures)
  end

  def teardown
    @store.close
    FileUtils.rm_rf(@dir)
  end

  def run_of(rounds)
    cohorts = Array.new(rounds) { |index| { round: index + 1, position: index, variants: ["a"] } }
    @store.create_run(study: { app: "/srv/shop", requests: [], env: {}, baseline: "a",
                               variants: [{ name: "a", env: {} }] },
                      plan: { seed: 1, rounds:, dropped: [], cohorts: },
                      fingerprint: {}, provenance: {})
  end

  test "what was made ready for one cohort of a run serves the next" do
    run = run_of(2)
    ids = @store.cohorts(run.id).map(&:id)

    assert_equal %w[done done done], [*ids, ids.first].map { |id| @runner.try(id) }
    assert_equal({ run.id => ids.map { |id| [id, @data] } }, Measures.made)
  end

  test "cohorts of another run are for another process" do
    runs = Array.new(2) { run_of(1) }
    first, second = runs.map { |run| @store.cohorts(run.id).first.id }

    assert_equal "done", @runner.try(first)
    error = assert_raises(Mohs::UsageError) { @runner.try(second) }
    assert_said(error.message)
    assert_equal "over", @runner.try(0)
  end
end
