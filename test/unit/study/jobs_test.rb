# frozen_string_literal: true

require "test_helper"

class StudyJobsTest < Mohs::TestCase
  include Mohs::StudyBuild
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-study"

  Jobs = Mohs::Study::Jobs

  test "without anything it is 200 jobs, run by the server, within a minute" do
    jobs = Jobs.parse

    assert_equal [200, nil, nil, 60, nil], [*jobs.to_h.values_at(:count, :worker, :api, :limit_s),
                                            jobs.argv]
    assert_said(*[jobs.request.to_s, jobs.request.expect])
    assert_equal [["/.mohs/jobs?count=0", nil], ["/.mohs/jobs?count=1", nil]],
                 ([jobs.inquiry, jobs.first].map { |one| [one.path, one.expect] })
  end

  test "what is typed is kept" do
    jobs = Jobs.parse(count: 1, worker: "bundle exec 'my queue' -c 5", api: "sidekiq", limit: "2m")

    assert_equal [1, "sidekiq", 120.0, 130.0],
                 [jobs.count, jobs.api, jobs.limit_s, jobs.timeout_s]
    assert_equal ["bundle", "exec", "my queue", "-c", "5"], jobs.argv
    assert_equal "/.mohs/jobs?count=1&api=sidekiq", jobs.request.path
  end

  { "sidekiq -c 5" => [%w[sidekiq -c 5], nil], "bundle exec sidekiq" => [%w[sidekiq], nil],
    "bundle exec ruby work.rb 'a b'" => [["work.rb", "a b"], "work.rb"],
    "bin/jobs start" => [%w[bin/jobs start], "bin/jobs"], "ruby" => [%w[ruby], nil],
    nil => [nil, nil] }.each do |worker, (program, file)|
    test "the worker #{worker.inspect} is the program #{program.inspect}" do
      jobs = Jobs.parse(worker:)

      assert_equal [program, file].inspect, [jobs.program, jobs.file].inspect
    end
  end

  test "counts, APIs, workers and limits that can't be are mistakes" do
    given = [{ count: 0 }, { count: 1_000_001 }, { api: "resque" }, { worker: " " },
             { worker: "sidekiq 'x" }, { worker: "A=1 sidekiq" }, { limit: "soon" }]

    assert_told "mistakes-of-jobs", given.to_h { |one|
      [one.map { |pair| pair.join(": ") }.first,
       assert_raises(Mohs::UsageError) { Jobs.parse(**one) }.message]
    }
  end

  test "in a study they are its requests, one at a time unless told, and survive the store" do
    jobs = Jobs.parse(worker: "sidekiq")
    study = build(jobs:)

    assert_equal [[jobs.request], 1, jobs], [study.requests, study.load_connections, study.jobs]
    assert_equal 3, build(jobs:, connections: 3).load_connections
    stored = JSON.parse(JSON.generate(study.to_h), symbolize_names: true)
    assert_equal study, Mohs::Study.from_h(stored)
    assert_nil Mohs::Study.from_h(stored.except(:jobs)).jobs
  end

  test "requests of another kind, and servers that mohs does not start, have no jobs" do
    request = Mohs::App::Request.build(path: "/")
    { { requests: [request] } => /batch of jobs: .*requests/,
      { variants: %w[3.1.2 http://127.0.0.1:3000] } => %r{http://127.0.0.1:3000 runs already},
      { variants: ["3.1.2", "own::3.1.2, get=/about"] } => %r{own asks for /about. Leave it} }
      .each do |given, message|
      error = assert_raises(Mohs::UsageError) { build(jobs: Jobs.parse, **given) }

      assert_match message, error.message
    end
  end

  test "a study file declares them" do
    jobs = load("jobs: {count: 50, worker: bin/jobs, api: active_job, limit: 5s}")[:jobs]

    assert_equal Jobs.parse(count: 50, worker: "bin/jobs", api: "active_job", limit: "5s"), jobs
    assert_equal Jobs.parse(count: 3), load("jobs: {count: 3}")[:jobs]
    refute_includes load("rounds: 3"), :jobs
    { "jobs: {count: 0}" => "study.yml: jobs: count 0: use 1 to",
      "jobs: {count: many}" => "study.yml: jobs/count: should be a whole number",
      "jobs: {workers: 3}" => "study.yml: jobs/workers: no such key. Did you mean worker?" }
      .each do |text, message|
      assert_includes assert_raises(Mohs::StudyError) { load(text) }.message, message
    end
  end

  def load(text)
    with_files("study.yml" => text) { |dir| return Mohs::Study::File.load("#{dir}/study.yml") }
  end
end
