# frozen_string_literal: true

require "test_helper"

# What the analysis finds, in words: the forms that a template has.
class FindingsTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-findings"

  def text(...) = Mohs::Report::Render.text(...)

  test "an application that slows, a driver that takes its share, a half that is slower" do
    assert_said(text("growth", growth: 0.008, requests: 1000))
    assert_said(text("dilution", share: 0.333))
    assert_said(text("halves", share: 0.2))
    assert_said(text("pauses", side: "B", ratio: 0.85))
  end

  test "streams are told by what is timed of them" do
    %w[first-event echo opening].each do |timed|
      assert_said(text("too_few_streams", had: 240, needed: 381, timed:),
                  text("streams_given", variant: "a", timed:),
                  text("latency_#{timed}", per_s: 100))
    end
  end

  test "a run of streams in one sentence" do
    common = { variant: "puma", held: 30, asked: 60, p50: 0.2 }
    kinds = { "first-event" => "streams", "echo" => "WebSockets", "opening" => "WebSockets" }
    %w[run_stream run_stream_late].product(kinds.to_a).each do |code, (timed, kind)|
      counts = timed == "echo" ? { due: 480, lost: 240 } : {}
      assert_said(text(code, **common, timed:, kind:, **counts))
    end
  end

  test "what one cohort shows in which each is alone, and what hinders an equal" do
    alone = { metric: "requests/s", ratio: 1.5 }

    assert_said(text("contention", **alone))
    assert_said(text("measured_alone", **alone))
    assert_said(text("equal_but_total", variant: "B", metric: "requests/s", better: "more",
      effect: 0.955, interval: [0.951, 0.959]))
    assert_said(*[[1], [2], [1, 2]].map { |locks|
      text("metric_bunching", connections: 4, locks:)
    })
    assert_said(text("too_few_requests", had: 380, needed: 381, cohorts: 2, of: 6))
    few = { had: 120, needed: 381, needed_s: 6.4, connections: 4 }
    comparison = { command: "mohs compare A B --metric p99", load_s: 6.4 }
    assert_said(text("too_few_requests", **few))
    assert_said(text("too_few_requests", **few, comparison:))
    assert_operator text("too_few_requests", **few.except(:connections)), :end_with?,
                    "`mohs load URL --duration 10s`"
    assert_operator text("too_few_requests", **few.except(:connections), rate: 200), :end_with?,
                    "`mohs load URL --rate 200 --duration 10s`"
  end

  test "of what differs beyond what is declared, what is missing and how many more there are" do
    differing = [{ name: "jit", a: "off", b: "yjit" }, { gem: "json", a: nil, b: "2" }]

    assert_said(text("differ_beyond", differing:, more: 0))
    assert_operator text("differ_beyond", differing:, more: 2), :end_with?,
                    "json none / 2 and 2 more"
  end

  test "a JIT that the application turns on by itself, where, and for whom" do
    values = { jit: "yjit", where: "config/application.rb:24", off: ["3.4.5"], on: [] }

    assert_said(text("jit_by_app", **values))
    assert_equal "turns ZJIT on by itself: off for 4.0.5; on for yours",
                 text("jit_by_app", jit: "zjit", where: nil, off: ["4.0.5"], on: ["yours"])
    assert_said(text("jit_by_app", **values, off: [], other: ["4.0.5 --zjit"]))
    assert_operator text("jit_by_app", **values, on: %w[a b c d e]), :end_with?,
                    "on for a, b, c and 2 more"
  end

  test "what measured servers do that production does not" do
    text = text("unlike_production", debug: true, jobs: "sidekiq")

    assert_said(text)
    assert_said(text("unlike_production", lazy: true, no_cache: true))
  end

  # Of a longer list only the first are recorded.
  test "files that were not all recorded are at least so many" do
    most = Mohs::Probes::OpenFiles::MOST
    outside = [most, most - 1].map do |count|
      text("files_outside", paths: (1..count).map { |number| "/tmp/#{number}" })
    end
    changed = [most, most - 1].map do |count|
      changes = (1..count).map { |number| { path: "#{number}", change: "new", bytes: 1 } }
      text("files_changed", changes:)
    end

    [outside, changed].each do |all, fewer|
      assert_operator all, :end_with?, " and at least 17 more"
      assert_operator fewer, :end_with?, " and 16 more"
    end
  end

  test "a side whose responses changed, or that gave none" do
    change = { request: "GET /", kind: "length", answer: 9000, other: 4507 }

    assert_said(text("answers_change", side: "B", **change))
    assert_said(text("side_silent", side: "A", variant: "a"))
  end

  test "a side that its own checks made invalid is told with the check" do
    spoiled = { code: "jit.other", values: { declared: "yjit", boot: "off" } }
    values = { side: "B", variant: "b", reason: nil, summary: nil, remedy: nil, spoiled: }

    assert_said(text("side_invalid", **values))
  end

  test "a forecast that may not suffice names the least" do
    values = { margin: 0.01, needed_s: 250.0, wider: nil }

    assert_match(/now needs about /, text("forecast", **values, least: false))
    assert_match(/now needs at least /, text("forecast", **values, least: true))
  end

  test "too few threads, of all or of some" do
    wait = "responses wait for a thread, and latency includes the wait, as far as a slice lasts"
    crowding = lambda do |connections, threads, variants = nil|
      text("crowding", connections:, threads:, variants:)
    end

    assert_equal "8 connections on 5 threads: #{wait}", crowding.call(8, [5])
    assert_equal "8 connections on 1 to 5 threads: #{wait}", crowding.call(8, [1, 5])
    assert_said(crowding.call(2, [1]))
    assert_equal "8 connections on 5 threads (b): #{wait}", crowding.call(8, [5], ["b"])
  end

  test "a driver that waited seldom, and checks from before there were codes" do
    assert_said(*[1, 2].map { |preempted| text("driver_waits.seldom", share: 0.003, preempted:) })
    assert_equal "answers took 100 % longer",
                 text("trend.recorded", detail: "answers took 100 % longer")
  end

  test "a cohort that is measured without the fleet after Ctrl-C has no host to name" do
    texts = [%w[a b], []].map { |hosts| text("fleet_unfinished", cohorts: 1, hosts:, key: "7c1a") }

    assert_said(*texts)
  end

  test "who was back first after a drop, or only most, is said with its verb" do
    drop = { after: 5000.0, dropped: 10, opened: 20, kind: "streams" }
    said = text("stream_storm", **drop, half: nil, most: 3.0, all: nil)

    assert_includes said, ": 99 % were back 3.00 ms later, but not half. "
  end
end
