# frozen_string_literal: true

require "test_helper"

# What the analysis finds, in words: the forms that a template has.
class FindingsTest < Mohs::TestCase
  def text(...) = Mohs::Report::Render.text(...)

  test "an application that slows, a driver that takes its share, a half that is slower" do
    assert_equal "the app slows with every request (+0.8 % per 1 000); what is measured depends " \
                 "on when", text("growth", growth: 0.008, requests: 1000)
    assert_match(/\Athe driver takes 33 % of the CPU time/, text("dilution", share: 0.333))
    assert_equal "one half of the machine serves 20 % more than the other, whoever is on it: " \
                 "something else runs there", text("halves", share: 0.2)
    assert_match(/\AB pauses more: over all slices, .*, B's requests a second are -15 % /,
                 text("pauses", side: "B", ratio: 0.85))
  end

  test "what one cohort shows in which each is alone, and what hinders an equal" do
    alone = { metric: "requests/s", ratio: 1.5 }

    assert_equal "measured alone on a core, B's requests/s is +50 % against A's: side by side " \
                 "they contend for cache or memory", text("contention", **alone)
    assert_equal "measured alone on a core, B's requests/s is +50 % against A's (one cohort)",
                 text("measured_alone", **alone)
    assert_equal "equal but for pauses: in total, B's requests/s -4.5 % [-4.9, -4.1]",
                 text("equal_but_total", variant: "B", metric: "requests/s", better: "more",
                                         effect: 0.955, interval: [0.951, 0.959])
    assert_match(/p50 can't decide: 4 connections .*--connections 1 /,
                 text("metric_bunching", connections: 4))
    assert_equal "not enough requests in 2 of 6 cohorts: a server answered 380 of the 381 needed",
                 text("too_few_requests", had: 380, needed: 381, cohorts: 2, of: 6)
    assert_equal "not enough requests: a server answered 120 of the 381 needed. A longer " \
                 "run adds servers, not requests per server. To get enough, start a server " \
                 "yourself and run `mohs load URL -d 10s`.",
                 text("too_few_requests", had: 120, needed: 381, needed_s: 6.4)
  end

  test "of what differs beyond what is declared, what is missing and how many more there are" do
    differing = [{ name: "jit", a: "off", b: "yjit" }, { gem: "json", a: nil, b: "2" }]

    assert_equal "beyond what is compared, these differ too: jit (off, yjit), json none / 2",
                 text("differ_beyond", differing:, more: 0)
    assert_operator text("differ_beyond", differing:, more: 2), :end_with?,
                    "json none / 2 and 2 more"
  end

  test "a JIT that the application turns on by itself, where, and for whom" do
    values = { jit: "yjit", where: "config/application.rb:24", off: ["3.4.5"], on: [] }

    assert_equal "turns YJIT on by itself (config/application.rb:24): off for 3.4.5 (--own-jit " \
                 "measures it as it runs)",
                 text("jit_by_app", **values)
    assert_equal "turns ZJIT on by itself: off for 4.0.5; on for yours",
                 text("jit_by_app", jit: "zjit", where: nil, off: ["4.0.5"], on: ["yours"])
    assert_equal "turns YJIT on by itself (config/application.rb:24): off for 4.0.5 --zjit, " \
                 "which asks for another JIT",
                 text("jit_by_app", **values, off: [], other: ["4.0.5 --zjit"])
    assert_operator text("jit_by_app", **values, on: %w[a b c d e]), :end_with?,
                    "on for a, b, c and 2 more"
  end

  test "a side whose responses changed, or that gave none" do
    change = { request: "GET /", kind: "length", answer: 9000, other: 4507 }

    assert_equal "B gives different responses after a reboot: GET / returned 9000 bytes " \
                 "where an earlier boot returned 4507", text("answers_change", side: "B", **change)
    assert_equal "A, \"a\", gave no right answer for whole slices, more often than can be " \
                 "trimmed away", text("side_silent", side: "A", variant: "a")
  end

  test "a side that its own checks made invalid is told with the check" do
    spoiled = { code: "jit.other", values: { declared: "yjit", boot: "off" } }
    values = { side: "B", variant: "b", reason: nil, summary: nil, remedy: nil, spoiled: }

    assert_equal 'B, "b": JIT should be yjit, but the server reports off',
                 text("side_invalid", **values)
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
    assert_equal "2 connections on 1 thread: #{wait}", crowding.call(2, [1])
    assert_equal "8 connections on 5 threads (b): #{wait}", crowding.call(8, [5], ["b"])
  end

  test "a driver that waited seldom, and checks from before there were codes" do
    assert_equal ["0.3 % of the time, preempted once", "0.3 % of the time, preempted 2 times"],
                 [1, 2].map { |preempted| text("driver_waits.seldom", share: 0.003, preempted:) }
    assert_equal "answers took 100 % longer",
                 text("trend.recorded", detail: "answers took 100 % longer")
  end

  test "a cohort that is measured without the fleet after Ctrl-C has no host to name" do
    texts = [%w[a b], []].map { |hosts| text("fleet_unfinished", cohorts: 1, hosts:, key: "7c1a") }

    assert_equal ["1 cohort is still being measured on a, b, and will count: mohs show 7c1a later",
                  "1 cohort is still being measured, and will count: mohs show 7c1a later"], texts
  end
end
