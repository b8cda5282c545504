# frozen_string_literal: true

require "test_helper"
require_relative "../../../apps/jobs/lib/jobs"

# The parts of apps/jobs that need no gems; its queues are tested in test/slow/jobs_test.rb.
class AppsJobsTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-apps"

  # Runs each job of a batch as the block says: returns how often.
  class FakeProducer
    def initialize(tally, &runs)
      @tally = tally
      @runs = runs || ->(_index) { 1 }
    end

    def enqueue(batch)
      @tally.size.times { |index| @runs.call(index).times { @tally.ran(batch, index) } }
    end
  end

  # Runs jobs as they are enqueued, on the producer's thread.
  class FakeQueue
    def initialize(tally, starts: -> {}, enqueues: -> {})
      @tally = tally
      @starts = starts
      @enqueues = enqueues
    end

    def start = @starts.call

    def enqueue(batch, index)
      @enqueues.call
      @tally.ran(batch, index)
    end
  end

  # An application with such a queue, started.
  def produced(**behaviour)
    tally = Jobs::Tally.new(3)
    producer = Jobs::Producer.new(settings, tally:) { FakeQueue.new(tally, **behaviour) }
    producer.start
    Jobs::App.new(tally:, producer:, limit_s: 30)
  end

  def app(size = 3, &runs)
    tally = Jobs::Tally.new(size)
    Jobs::App.new(tally:, producer: FakeProducer.new(tally, &runs), limit_s: 0)
  end

  def settings(**env) = Jobs::Settings.new(env.transform_keys(&:to_s))

  test "a batch whose jobs each ran once has the constant answer, again and again" do
    app = app()
    answers = Array.new(2) { app.call({}) }

    headers = { "content-type" => "text/plain", "content-length" => "18" }
    assert_equal [[200, headers, ["each job ran once\n"]]], answers.uniq
  end

  test "jobs that don't run, or run twice, are an error with their number" do
    lost, twice = app { |index| [0, 1, 0][index] }, app { |index| [1, 2, 1][index] }
    both = app { |index| index }

    assert_equal [500, 500], [lost, twice].map { |page| page.call({}).first }
    assert_said(lost.call({}).last.join)
    assert_match(/\A1 of 3 jobs .*than once\n\z/, twice.call({}).last.join)
    assert_said(both.call({}).last.join)
  end

  test "a job that runs after its batch is a fault of the next one, once" do
    tally = Jobs::Tally.new(1)
    first, second = Array.new(2) { tally.begin_batch }
    tally.ran(first, 0)
    tally.ran(second, 0)

    assert_equal ["1 jobs ran that are not of this batch", nil], Array.new(2) { tally.await(0) }
  end

  test "a job of a number that was not enqueued is a fault" do
    tally = Jobs::Tally.new(1)
    batch = tally.begin_batch
    [-1, 0, 1].each { |index| tally.ran(batch, index) }

    assert_equal "2 jobs ran that are not of this batch", tally.await(0)
  end

  test "what can't be enqueued ends the wait" do
    tally = Jobs::Tally.new(2)
    batch = tally.begin_batch
    tally.ran(batch, 0)
    tally.not_enqueued(IOError.new("closed"))

    assert_equal "not enqueued: closed (IOError)", tally.await(3600)
  end

  test "the end of a batch wakes who waits for it" do
    tally = Jobs::Tally.new(2)
    batch = tally.begin_batch
    waiting = Thread.new { tally.await(60) }
    2.times { |index| tally.ran(batch, index) }

    assert waiting.join(30)
    assert_nil waiting.value
  end

  test "the producer's thread enqueues batch after batch" do
    app = produced

    assert_equal [200, 200], Array.new(2) { app.call({}).first }
  end

  test "what keeps a queue from starting is raised where it is started" do
    error = assert_raises(LoadError) { produced(starts: -> { raise LoadError, "no such gem" }) }

    assert_equal "no such gem", error.message
  end

  test "a job that can't be enqueued is an error of its batch, and of no other" do
    faults = [IOError.new("closed")]
    app = produced(enqueues: -> { faults.pop&.then { |fault| raise fault } })
    first, second = Array.new(2) { app.call({}) }

    assert_equal [500, ["not enqueued: closed (IOError)\n"]], first.values_at(0, 2)
    assert_equal 200, second.first
  end

  test "without variables it is Litejob with threads and its own API" do
    found = settings

    assert_equal ["litejob", "native", "threads", 200, 0],
                 [found.queue, found.api, found.concurrency, found.jobs, found.wait_ms]
    assert_equal [false, false, false], [found.active_job?, found.fibers?, found.spawn?]
  end

  test "the variables choose" do
    found = settings(QUEUE: "litejob", API: "active_job", CONCURRENCY: "fibers", SPAWN: "1",
                     JOBS: "1000", WAIT_MS: "10")

    assert_equal [true, true, true, 1000, 10],
                 [found.active_job?, found.fibers?, found.spawn?, found.jobs, found.wait_ms]
    assert_equal %w[active_job native active_job],
                 [settings(QUEUE: "good_job"), settings(QUEUE: "sidekiq"),
                  settings(QUEUE: "solid_queue")].map(&:api)
  end

  { { QUEUE: "resque" } => 'QUEUE is litejob or sidekiq or good_job or solid_queue, not "resque"',
    { QUEUE: "good_job", API: "native" } => 'API of good_job is active_job, not "native"',
    { QUEUE: "sidekiq", CONCURRENCY: "fibers" } =>
      'CONCURRENCY of sidekiq is threads, not "fibers"',
    { QUEUE: "sidekiq", SPAWN: "1" } => 'SPAWN of sidekiq is 0, not "1"',
    { JOBS: "0" } => 'JOBS is a number from 1 to 1000000, not "0"',
    { JOBS: "1000001" } => 'JOBS is a number from 1 to 1000000, not "1000001"',
    { WAIT_MS: "10001" } => 'WAIT_MS is a number from 0 to 10000, not "10001"',
    { JOBS: "1e3" } => 'JOBS is a number from 1 to 1000000, not "1e3"' }.each do |env, message|
    test "#{env} is a mistake" do
      error = assert_raises(ArgumentError) { settings(**env) }

      assert_equal message, error.message
    end
  end
end
