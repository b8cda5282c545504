# frozen_string_literal: true

require "test_helper"

# The job queue of an application as a trial measures it: Active Job in a real Puma, with adapters
# that behave well or badly by construction (test/fixtures/apps/queue). Real queues are in
# test/slow/job_queues_test.rb.
class TrialJobQueueTest < Mohs::TestCase
  def trial(adapter, jobs: {}, **options, &block)
    Mohs::JobTrial.with(env: { "ADAPTER" => adapter }, jobs: { limit: "2s", **jobs }, **options,
                         &block)
  end

  def ready(trial) = %i[boot attest check].each { |stage| trial.public_send(stage) }

  def load(trial, count)
    driver = Mohs::Drivers.fetch("native").new(targets: [trial.target])
    result = driver.run([Mohs::Load::Step.new(targets: [0], count:)]).first
    trial.loaded(nil, nil, result)
    result
  ensure
    driver&.close
  end

  # How it ends; nil if it does not.
  def ended(trial)
    yield trial
    nil
  rescue Mohs::TrialError => error
    trial.end_as(error)
    [trial.outcome[:state], trial.outcome[:reason].summary]
  end

  def assert_ended(state, reason, trial)
    ended = ended(trial, &method(:ready))
    assert_equal state, ended.first
    assert_match reason, ended.last
  end

  %w[async inline].each do |adapter|
    test "with the adapter #{adapter} each request is a batch that ran once, in the server" do
      trial(adapter) do |trial|
        ready(trial)
        assert_equal({ api: "active_job", adapter: }, trial.job_queue)
        result = load(trial, 20)
        assert_equal [20, {}], [result.good, result.errors]
        assert_nil(ended(trial) { trial.must_answer(1) })
        assert_equal trial.pids, Mohs::Process::Tree.pids(trial.child.pid)
      end
    end
  end

  test "processes of one server don't disturb each other" do
    trial("async", processes: 2) do |trial|
      ready(trial)

      assert_equal [20, {}], load(trial, 20).then { |result| [result.good, result.errors] }
      assert_nil(ended(trial) { trial.must_answer(1) })
    end
  end

  test "a queue that loses a job is wrong from its first batch, and its row says how many" do
    trial("losing", jobs: { limit: "500ms" }) do |trial|
      assert_ended("invalid", /\A1 of 20 jobs did not run .*0\.5 s\z/, trial)
    end
  end

  test "so is one that runs a job twice" do
    trial("doubling") do |trial|
      assert_ended("invalid", /\A1 of 20 jobs .*more than once\z/, trial)
    end
  end

  test "a job that runs again behind its batch is found while the server is measured" do
    trial("late") do |trial|
      ready(trial)
      outcome = nil
      outcome = ended(trial) { load(trial, 20) && trial.must_answer(1) } until outcome

      assert_equal "invalid", outcome.first
      assert_match(/\Aa job ran again/, outcome.last)
    end
  end

  test "a queue that takes no jobs is wrong, with the reason" do
    trial("raising") do |trial|
      assert_equal ["invalid", "not enqueued: the broker is gone (IOError)"],
                   ended(trial, &method(:ready))
      assert_nil trial.outcome[:reason].remedy
    end
  end

  test "an application without a queue is refused, with what to do" do
    trial("none") do |trial|
      assert_ended("refused", /no job queue \(active_job, sidekiq, litejob: not loaded/, trial)
      assert_includes trial.outcome[:reason].remedy, "mohs jobs DIR"
    end
  end

  test "an API that it does not load is refused" do
    trial("async", jobs: { api: "sidekiq" }) do |trial|
      assert_ended("refused", /no job queue \(sidekiq: not loaded/, trial)
    end
  end

  test "jobs that nothing runs are wrong, and the worker that may be missing is named" do
    trial("spool", jobs: { limit: "500ms" }) do |trial|
      assert_ended("invalid", /\A1 of 1 jobs did not run .*0\.5 s\z/, trial)
      assert_includes trial.outcome[:reason].remedy, "--worker"
    end
  end

  test "a worker runs beside the server, counts as a part of it, and ends with it" do
    pids = nil
    trial("spool", jobs: { worker: "bundle exec ruby worker.rb default", limit: "20s" }) do |trial|
      ready(trial)
      pids = trial.pids
      worker = pids - Mohs::Process::Tree.pids(trial.child.pid)
      assert_equal [1, 2], [worker.size, trial.supervisors.size]
      assert_includes trial.lasting, worker.first
      memory = trial.memory[:after_boot]
      assert_equal pids.sort, memory[:processes].map { |one| one[:pid] }.sort
      assert_includes Mohs::Process::Tree.command_line(worker.first), "worker.rb default"

      before = Mohs::Probes::Cpu.tree_ns(worker)
      assert_equal [10, {}], load(trial, 10).then { |result| [result.good, result.errors] }
      assert_operator Mohs::Probes::Cpu.tree_ns(worker), :>, before
    end
    assert_empty(pids.select { |pid| File.exist?("/proc/#{pid}") })
  end

  test "a worker that does not start is refused, with its own last words" do
    trial("spool", jobs: { worker: "ruby worker.rb mail", limit: "20s" }) do |trial|
      assert_ended("refused", /\Athe worker ended .*\(exit 1\): no such queue: mail\z/, trial)
    end
    trial("spool", jobs: { worker: "no-such-command" }) do |trial|
      state, text = ended(trial, &method(:ready))
      assert_equal "refused", state
      assert_includes text, "executable no-such-command"
    end
  end

  test "a worker that dies under load is what happened, not the batches that it left" do
    trial("spool", jobs: { worker: "./worker.rb default", limit: "5s" }) do |trial|
      ready(trial) # its worker boots within the limit, too
      worker = trial.pids - Mohs::Process::Tree.pids(trial.child.pid)
      Process.kill("KILL", *worker)
      load(trial, 1)

      state, reason = ended(trial) { trial.must_answer(1) }
      assert_equal "failed", state
      assert_match(/\Athe worker died .*\(killed by SIGKILL\)\z/, reason)
    end
  end

  test "an application's own pages are still there" do
    trial("inline") do |trial|
      ready(trial)
      client = Mohs::Http::Client.new(**trial.target.to_h.slice(:host, :port))

      assert_equal "a page of its own", client.ask(Mohs::App::Request.build(path: "/")).body
    end
  end
end
