# frozen_string_literal: true

require "test_helper"

class CLIJobsTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-jobs"

  APP = { "config.ru" => "", "shop/config.ru" => "" }.freeze

  def jobs(*argv, events: [])
    with_files(APP) do |folder|
      @folder = folder
      rows = fixture_document[:rows].first(5)
      @experiment = FakeExperiment.new(document: fixture_document(rows:), study: fixture_study,
                                       plan: fixture_study.procedure.plan(seed: 1), events:)
      return mohs("jobs", *argv, dir: folder, experiment: -> { @experiment })
    end
  end

  def declared(*argv)
    output = jobs(*argv)
    assert_equal [0, ""], [output.status, output.err]
    @experiment.declaration
  end

  test "alone it measures the queue of the application in this folder" do
    assert_equal({ app: @folder, jobs: Mohs::Study::Jobs.parse }.keys, declared.keys)
    assert_equal [@folder, Mohs::Study::Jobs.parse], @experiment.declaration.values_at(:app, :jobs)
  end

  test "a dry run says for which Ruby it resolves the gems of an application without a lock" do
    resolving = [[:install, { ruby: "3.4.5", line: "resolving" }], [:installed, { ruby: "3.4.5" }]]
    output = jobs("--dry-run", events: resolving)

    assert_equal 0, output.status
    assert_match(/\Aresolving .* 3\.4\.5\n\z/, output.err)
    assert_includes output.out, "about"
    assert_empty jobs("--dry-run", "--quiet", events: resolving).err
  end

  test "a folder may be named, as an argument or an option, but once" do
    assert_equal "shop", File.basename(declared("shop")[:app])
    assert_equal "shop", File.basename(declared("--app", "shop")[:app])
    twice = jobs("shop", "--app", ".")
    assert_equal 2, twice.status
    assert_said(twice.err)
  end

  test "its options are those of the jobs, and of a measurement without requests" do
    given = declared("--count", "50", "--worker", "sidekiq -c 5", "--api", "sidekiq",
                     "--limit", "5s", "--rounds", "5", "--service", "redis", "--env", "A=b",
                     "--variant", "3.1.2", "--variant", "3.4.5", "--connections", "2")

    assert_equal Mohs::Study::Jobs.parse(count: 50, worker: "sidekiq -c 5", api: "sidekiq",
                                         limit: "5s"), given[:jobs]
    assert_equal [5, ["redis"], { "A" => "b" }, 2, 2],
                 [*given.values_at(:rounds, :services, :env, :connections), given[:variants].size]
    assert_equal 2, jobs("--get", "/").status
  end

  test "mistakes are found before anything takes time" do
    lines = [%w[--count 0], %w[--count 1000001], %w[--api resque], %w[--limit never],
             ["--worker", "A=1 sidekiq"]]
    assert_mistakes("jobs", lines) do |*argv|
      jobs(*argv).tap { assert_nil @experiment.declaration }
    end
  end

  test "the screen has jobs a second, and CPU time for each" do
    rows = fixture_document[:rows].first(2)
    jobs = Mohs::Study::Jobs.parse(count: 50).to_h
    document = fixture_document(rows:, jobs:, requested: ["batches of 50 jobs"])
    plain, text = [fixture_document(rows:), document].map do |one|
      Mohs::Report::Terminal.new.call({ run: "7c1a", reasons: [], **one })
    end

    assert_includes text, "jobs/s"
    assert_includes text, "CPU µs/job"
    refute_includes text, "requests/s"
    refute_includes plain, "jobs"
    rate = rows.first[:throughput_per_s][:value]
    assert_includes text, Mohs::Report::Numbers.figure(rate * 50)
    assert_said(paragraph(text, "shop"))
  end
end
