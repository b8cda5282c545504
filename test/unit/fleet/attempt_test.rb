# frozen_string_literal: true

require "test_helper"

class FleetAttemptTest < Mohs::TestCase
  TOKEN = Mohs::Cohort::Token
  GONE = "elsewhere:1:2".freeze

  def setup
    @dir = Dir.mktmpdir("mohs-test")
    @store = Mohs::Store.open(File.join(@dir, "mohs.db"))
    cohorts = [{ round: 1, position: 0, variants: ["a"] }]
    plan = { seed: 1, rounds: 1, dropped: [], cohorts: }
    @run = @store.create_run(study: { app: "/srv/shop", requests: [], env: {}, baseline: "a",
                                      variants: [{ name: "a", env: {} }] }, plan:,
                             fingerprint: {}, provenance: {})
    @id = @store.cohorts(@run.id).first.id
    @measure = lambda do |cohort|
      @store.claim(cohort.id, TOKEN.own)
      @store.finish_cohort(cohort.id, "done", token: TOKEN.own)
      true
    end
  end

  test "a run that began without knowing its machine is about that of the first try" do
    attempt

    assert_equal Mohs::Probes::Host.fingerprint[:cores], @store.run(@run.id).fingerprint[:cores]
  end

  def teardown
    @store.close
    FileUtils.rm_rf(@dir)
  end

  def attempt
    Mohs::Fleet::Attempt.new(store: @store, cohort_id: @id, host: "h", measure: @measure).call
  end

  def outcomes = @store.attempts(@id).map(&:outcome)

  test "a cohort is measured once" do
    assert_equal %w[done done], [attempt, attempt]
    assert_equal ["done"], outcomes
    assert_equal ["h", TOKEN.own], @store.attempts(@id).first.to_h.values_at(:host, :token)
  end

  test "one whose holder is gone is taken over at once, and its late results are dropped" do
    @store.begin_attempt(@id, host: "elsewhere", token: GONE)
    @store.claim(@id, GONE)

    assert_equal "done", attempt
    assert_raises(Mohs::StoreError) { @store.finish_cohort(@id, "done", token: GONE) }
  end

  test "one that another process of this host measures is left to it" do
    @store.claim(@id, TOKEN.own)

    assert_equal ["elsewhere", []], [attempt, outcomes]
  end

  test "one that a mohs without a fleet measures on another host is left to it while that lives" do
    clock = Mohs::StoreHelper::FakeClock.new(1_000_000)
    store = Mohs::Store.open(File.join(@dir, "mohs.db"), clock:)
    store.claim(@id, GONE)
    attempt = Mohs::Fleet::Attempt.new(store:, cohort_id: @id, host: "h", measure: @measure)

    assert_equal "elsewhere", attempt.call
    clock.real_ms += Mohs::Fleet::Attempt::HEARTBEAT_STALE_MS
    assert_equal "done", attempt.call
  ensure
    store&.close
  end

  test "one whose run was deleted is over, and not tried again" do
    @store.delete_runs([@run.id])

    assert_equal "over", attempt
  end

  test "one of a run that has ended is not measured any more" do
    @store.finish_run(@run.id, "interrupted")

    assert_equal ["over", []], [attempt, outcomes]
  end

  test "a try that mohs itself breaks has its reason" do
    @measure = ->(*) { raise Mohs::EnvironmentError, "no space" }

    assert_raises(Mohs::EnvironmentError) { attempt }
    assert_equal [["failed", "no space"]],
                 @store.attempts(@id).map { |one| [one.outcome, one.reason] }
  end

  # As a mohs writes it whose studies have one more key.
  def write_newer_study
    @store.beside do |database|
      row = database[:runs].where(id: @run.id)
      row.update(study: JSON.generate(JSON.parse(row.get(:study)).merge("newer" => 1)))
    end
  end

  test "a study that this mohs can't read is a failed try, and the cohort is parked after three" do
    write_newer_study
    3.times { assert_raises(ArgumentError) { attempt } }
    reason = @store.attempts(@id).last.reason

    assert_equal ["failed"] * 3, outcomes
    assert_match(/\AArgumentError: .*newer/, reason)
    assert_equal "parked", attempt
    assert_equal [{ host: "h", reason: }] * 3, @store.cohort(@id).host[:parked]
  end

  test "a try that ended before it began is recorded by whoever started its process" do
    other = Mohs::Fleet::Attempt.new(store: @store, cohort_id: @id, host: "h")
    3.times do
      assert_nil other.settled
      other.record_failure(Mohs::Error.new("cohort #{@id}: exit 4: HOME is not set"))
    end

    assert_equal "parked", other.settled
    assert_equal ["cohort #{@id}: exit 4: HOME is not set"],
                 @store.attempts(@id).map(&:reason).uniq
  end

  test "after three deaths it is parked, with where they happened" do
    3.times { @store.begin_attempt(@id, host: "h", token: GONE) }

    assert_equal "parked", attempt
    cohort = @store.cohort(@id)
    assert_equal ["failed", [{ host: "h" }] * 3], [cohort.state, cohort.host[:parked]]
  end

  test "a signal gives it back, which is no death" do
    @measure = ->(*) { raise SignalException, "TERM" }

    assert_raises(SignalException) { attempt }
    assert_equal ["given_back"], outcomes
  end
end
