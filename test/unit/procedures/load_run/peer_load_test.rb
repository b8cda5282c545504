# frozen_string_literal: true

require "test_helper"

# The document and the screen of a load that another tool made.
class PeerLoadTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-load-runs"

  REQUEST = Mohs::App::Request.build(path: "/a")
  ANSWER = Mohs::App::Answer.new(request: REQUEST, status: 200, length: 2, body: "ok",
                                 kind: :body)

  def document(tool, driver_cpu_ns: 500_000_000, threads: 1, times: {}, errors: {},
               **figures)
    step = Mohs::Load::StepResult.new(
      wall_ns: 1_000_000_000, errors:, driver_cpu_ns:,
      connections: { asked: 4, opened: nil, lost: nil, served: nil, requests_min: nil,
                     requests_max: nil }, **figures
    )
    Mohs::LoadRun::Document.document(Mohs::Load::Result.new(
      server: "127.0.0.1:3000", step:,
      recording: Mohs::Load::Summary.new(good: figures[:good], times:),
      tool: Mohs::Drivers.fetch(tool).facts, answers: [ANSWER],
      asked: { connections: 4, threads:, duration_s: 1.0, arrivals: [nil] }
    ))
  end

  def screen(document)
    Mohs::Report::Terminal.new.call({ command: "load", **document })
  end

  test "what the tool does not tell is null, and what it tells stands where ours does" do
    result = document("wrk", good: 1234, completed: 1234,
                             times: { 0.5 => 56_000, 1.0 => 6_830_000 })
    assert_equal "wrk", result[:driver]
    assert_equal({ asked: nil, sent: nil, completed: 1234, good: 1234 }, result[:requests])
    unknown = { min: nil, p90: nil, p99: nil, p999: nil }
    assert_equal({ kind: "service", p50: 0.056, max: 6.83, **unknown, unanswered: nil,
                   more_than: {} }, result[:latency_ms])
    assert_equal [1234.0, [], "unchecked", 1, nil],
                 [result[:rate_per_s], result[:histogram], result[:answers].first[:kind],
                  result[:threads], result[:open_loop]]
    envelope = Mohs::Report::Document.envelope("load", result)
    assert_empty Mohs::JSONContract.new("`load`").faults(envelope)
  end

  test "a sum that the tool does not tell makes no rate" do
    result = document("ab", good: nil, completed: 400, errors: { "receive" => 8 })
    assert_nil result[:rate_per_s]
    assert_equal({ total: 8, by_class: { "receive" => 8 }, first_wrong: nil }, result[:errors])
    assert_operator screen(result), :start_with?, <<~TEXT
      127.0.0.1:3000 · GET /a · 4 connections
      – requests/s for 1.0 s: – sent, – answered 200.
      errors 8: receive 8
    TEXT
    refute_match(/latency/, screen(result))
  end

  test "a tool that does not say how many it sent is judged by its errors" do
    figures = [{ good: 9 }, { good: 9, errors: { "receive" => 1 } }, { good: 0 }, { good: nil }]
    outcomes = figures.map { |one| Mohs::LoadRun::Document.outcome(document("wrk", **one)) }

    assert_equal %i[ok failed failed failed], outcomes
  end

  test "how busy it was, where its threads are ours to choose; else its cores" do
    names = ->(result) { result[:checks].map { |check| [check[:name], check[:ok]] } }
    busy = document("wrk", good: 9, driver_cpu_ns: 930_000_000)
    assert_equal [["driver_share", false], ["peer", false]], names.call(busy)
    assert_match(/^wrk 93 % of its core$/, screen(busy))
    siege = document("siege", good: 9, driver_cpu_ns: 1_300_000_000)
    assert_equal [nil, [["peer", false]]], [siege[:threads], names.call(siege)]
    assert_said(*%w[siege\ 1 peer:].map { |beginning| paragraph(screen(siege), beginning) })
  end
end
