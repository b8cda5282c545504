# frozen_string_literal: true

require "test_helper"
require "support/sample_history"

class CLITrackTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-track"

  APP = { "config.ru" => "run ->(_) { [200, {}, []] }" }.freeze
  HEAD = { id: "9c1d" * 10, short: "9c1d", date: "2026-11-02", title: "Cache", changes: 1 }.freeze

  # The commit v1 of an application, wherever it is asked.
  REPOSITORY = Class.new do
    def commit(name)
      { "v1" => "0f3a", "0f3a" => "0f3a", "v2" => "beef" }.fetch(name)
    end

    def head = HEAD
  end.new

  Store = Struct.new(:kept) { def points(_name) = kept.map(&:to_h) }

  def track(*argv, points: [], events: [], state: "finished", **changes)
    document = point(check: argv.include?("--check"), state:)
    with_files(APP) do |dir|
      recorded = Mohs::Track::History.new(name: "shop", reference: "@v1", reference_id: "@0f3a",
                                          commit: HEAD, check: false)
      study = fixture_study(rules: rules(recorded), **changes)
      @experiment = FakeExperiment.new(document:, study:, events:,
                                       plan: study.procedure.plan(seed: 1))
      return mohs("track", *argv, dir:, experiment: -> { @experiment },
                                  store: -> { Store.new(points) }, repository: ->(_) { REPOSITORY })
    end
  end

  # A run that adds a point to the history shop.
  def point(check:, **options)
    track = { name: "shop", reference: "@v1", reference_id: "@0f3a", commit: HEAD, check: }
    Mohs::Stored.analysis(CompareResult.new([0.1, 0.1, 0.1], track:, **options).to_h)
  end

  # As fixture_study is measured; the newest is the run's own.
  def earlier(logs, **changes)
    facts = facts(fixture_study(rules: rules(Mohs::Track::History.new(reference_id: "@0f3a"))))
    *others, newest = SampleHistory.points(logs).map { |point| point.with(**facts, **changes) }
    [*others, newest.with(run: "7c1a", run_id: 1)]
  end

  def facts(study) = Mohs::Track::Same.facts(study)

  def rules(history)
    Mohs::Compare::Rules.new(candidate: "now", question: Mohs::Track::Question.new(history))
  end

  test "the reference is measured beside the folder, by the full id of its commit" do
    assert_equal [0, ""], track("shop", "--against", "@v1").then { |one| [one.status, one.err] }
    declared = @experiment.declaration
    reference, now = declared[:variants].map(&:last)

    assert_equal [["@v1", "@0f3a"], ["now", nil]],
                 [reference, now].map { |one| [one.label, one.revision] }
    assert_equal({ name: "shop", reference: "@v1", reference_id: "@0f3a", commit: HEAD,
                   check: false }, declared[:comparison][:question].history.to_h)
    assert_equal [0.01, 300], [declared[:comparison][:precision], declared[:budget_s]]
  end

  test "a later point knows its reference" do
    assert_equal 0, track("shop", "3.4.5", points: earlier([0.1])).status
    reference, now = @experiment.declaration[:variants].map(&:last)

    assert_equal ["@v1", "@0f3a", "3.4.5", "now"],
                 [reference.label, reference.revision, now.ruby, now.label]
  end

  test "what the person asks of the comparison takes precedence" do
    track("shop", "--against", "@v1", "--precision", "2%", "--budget", "60s", "--metric", "p50")

    declared = @experiment.declaration
    assert_equal [0.02, "p50"], declared[:comparison].values_at(:precision, :metric)
    assert_in_delta 60.0, declared[:budget_s]
  end

  test "the answer is that of the comparison, then that of the history" do
    output = track("shop", points: earlier([0.1, 0.1]))

    assert_match(/^history +2 points so far: requests\/s \+11 % against @v1\./, output.out)
    assert_equal %i[track now changes hidden sentence newest check],
                 track("shop", "--json", points: earlier([0.1, 0.1])).json[:history].keys
  end

  test "under --check a fresh change for the worse is a regression" do
    logs = SampleHistory.steps([30, 0.1], [12, 0.05])
    fresh = (31..42).find { |count| check(logs.first(count)) == 10 }

    refute_nil fresh
    assert_equal [0, 0], [check(logs.first(30)), check(logs)]
    assert_equal 0, track("shop", points: earlier(logs.first(fresh))).status
    better = SampleHistory.steps([30, 0.1], [12, 0.15])
    assert_equal [0], (31..42).map { |count| check(better.first(count)) }.uniq
  end

  def check(logs) = track("shop", "--check", points: earlier(logs)).status

  test "a point that is resumed is judged as if it had been measured at once" do
    logs = SampleHistory.steps([30, 0.1], [12, 0.05])
    fresh = (31..42).find { |count| check(logs.first(count)) == 10 }

    [[true, 10], [false, 0]].each do |asked, status|
      output = resume(earlier(logs.first(fresh)), check: asked)
      assert_equal status, output.status
      assert_match(/^history +It changed between /, output.out)
    end
  end

  test "a point that is resumed after others is not what reveals their change" do
    logs = SampleHistory.steps([30, 0.1], [12, 0.05])
    fresh = (31..42).find { |count| check(logs.first(count)) == 10 }
    *others, newest = earlier(logs.first(fresh))

    assert_equal 0, resume([*others, newest.with(run: "beef")], check: true).status
  end

  def resume(points, check:)
    experiment = FakeExperiment.new(document: point(check:))
    mohs("resume", "7c", experiment: -> { experiment }, store: -> { Store.new(points) })
  end

  test "a point that was interrupted is none, and brings no change to light" do
    logs = SampleHistory.steps([30, 0.1], [12, 0.05])
    fresh = (31..42).find { |count| check(logs.first(count)) == 10 }

    assert_equal 130, track("shop", "--check", points: earlier(logs.first(fresh)),
                                               state: "interrupted").status
  end

  test "points that would be measured otherwise are refused, with what differs" do
    points = earlier([0.1])
    { { requested: ["GET /"], load_id: "other" } => "requests GET / so far, GET /products now.",
      { connections: 9, load_id: "other" } => "connections 9 so far, 4 now.",
      { reference_id: "@beef" } => "reference @beef so far, @0f3a now." }.each do |changes, message|
      output = track("shop", "--against", "@v1", points: earlier([0.1], **changes))

      assert_equal 2, output.status
      assert_includes output.err, message
    end
    assert_equal 0, track("shop", "--against", "@v1", points:).status
  end

  test "a point whose requests have other bodies is refused" do
    small, large = ["{}", "x" * 100_000].map do |body|
      [Mohs::App::Request.build(path: "/orders", method: "POST", body:)]
    end
    rules = rules(Mohs::Track::History.new(reference_id: "@0f3a"))
    points = earlier([0.1], **facts(fixture_study(rules:, requests: small)))

    assert_equal 0, track("shop", points:, requests: small).status
    output = track("shop", points:, requests: large)
    assert_equal 2, output.status
    assert_said(output.err)
  end

  test "mistakes are found before anything takes time" do
    lines = [[], %w[shop], ["a b", "--against", "@v1"], %w[shop a b c],
             # Points would be of another load than they say, or be kept undecided.
             %w[shop --against @v1 --rate 200], %w[shop --against @v1 --quick]]
    assert_mistakes("track", lines) { |*argv| track(*argv) }
  end
end
