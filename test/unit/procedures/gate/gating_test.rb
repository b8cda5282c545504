# frozen_string_literal: true

require "test_helper"

class GateGatingTest < Mohs::TestCase
  CPU = ["cpu < +2%"].freeze
  BOTH = ["cpu < +2%", "memory < +5%"].freeze
  SAME = [0.001, -0.002, 0.001, 0.0, -0.001].freeze
  SLOWER = [-0.05, -0.052, -0.048, -0.051, -0.049, -0.05, -0.051, -0.05].freeze
  NOISY = [0.03, -0.05, 0.02, -0.04, 0.05, -0.03].freeze

  def gating(pages, differences, options: {}, **given)
    @gated = Gated.new(pages, differences, options:)
    @gated.result(**given)
  end

  def outcomes(result) = result.pages.map { |page| page.gates.results.map(&:outcome) }

  test "each page is compared until its gates hold or fail" do
    result = gating({ "/a" => BOTH, "/b" => CPU }, { "/a" => SLOWER, "/b" => SAME })

    assert_equal [%w[fails holds], %w[holds]], outcomes(result)
    assert_equal ["finished", "fails"], [result.state, result.outcome]
    assert_equal 3, result.pages.last.run.result.pairs.size
  end

  test "what the gates of a push may be wrong with is shared by all of them" do
    result = gating({ "/a" => BOTH, "/b" => CPU }, { "/a" => SAME, "/b" => SAME }, pushes: 200)

    assert_equal 3, result.alarms.gates
    assert_equal [{ fails: 1.0 / 600, holds: 0.05 }],
                 @gated.asked.map { |_, rules| rules[:question].levels }.uniq
    assert_equal [BOTH, CPU], @gated.asked.map { |_, rules| rules[:gates].map(&:to_s) }
  end

  test "a metric that every server has decides" do
    limits = { "/a" => ["p50 < 2%", "cpu < 2%"], "/b" => ["p50 < 2%"], "/c" => ["rps > -2%"] }
    gating(limits, limits.transform_values { SAME })

    assert_equal %w[cpu throughput throughput], @gated.asked.map { |_, rules| rules[:metric] }
  end

  test "what a page leaves of the budget is shared by those after it" do
    pages = { "/a" => CPU, "/b" => CPU, "/c" => CPU }
    gating(pages, { "/a" => SAME, "/b" => NOISY, "/c" => SAME }, budget_s: 90)

    # A cohort takes 5 s: 3 of them, then 6 that are not enough.
    assert_equal [30, 37.5, 45], @gated.asked.map(&:last)
  end

  test "after the budget each page still gets a cohort" do
    gating({ "/a" => CPU, "/b" => CPU }, { "/a" => SLOWER, "/b" => SAME }, budget_s: 0.5)

    assert_equal [1, 1], @gated.asked.map(&:last)
  end

  test "a budget that runs out leaves gates inconclusive, with what would decide them" do
    gate, needed = [NOISY, [-0.02, 0.01, -0.03, 0.02, -0.01, 0.0]].map do |differences|
      gating({ "/a" => CPU }, { "/a" => differences }, budget_s: 31).pages.first.gates.results.first
    end

    assert_equal ["inconclusive", "gate_interval"], [gate.outcome, gate.finding.code]
    assert_nil gate.needed_s
    assert_equal "inconclusive", needed.outcome
    assert_operator needed.needed_s, :>, 31
  end

  test "before the first look it says what budget would reach it" do
    gate = gating({ "/a" => CPU }, { "/a" => SAME }, budget_s: 6).pages.first.gates.results.first

    assert_equal ["inconclusive", "before_first_look", nil],
                 [gate.outcome, gate.finding.code, gate.interval]
  end

  test "the interval is that of the metric itself" do
    gate = gating({ "/a" => CPU }, { "/a" => SLOWER }).pages.first.gates.results.first

    assert_operator gate.interval.low, :>=, 1.02
    assert_in_delta 1.051, gate.interval.value, 0.003
    assert_operator gate.interval.high, :<, 1.07
  end

  test "Ctrl-C leaves the pages after it unmeasured" do
    result = gating({ "/a" => CPU, "/b" => CPU }, { "/a" => SAME, "/b" => :stop })

    assert_equal ["interrupted", [%w[holds], %w[inconclusive]]], [result.state, outcomes(result)]
    assert_equal "gate_not_reached", result.pages.last.gates.results.first.finding.code
    assert_nil result.pages.last.run
    stopped = gating({ "/a" => CPU, "/b" => CPU }, { "/a" => NOISY, "/b" => SAME },
                     options: { "/a" => { state: "interrupted" } })
    assert_equal ["interrupted", 1], [stopped.state, @gated.asked.size]
  end

  # Of the newer revision's trials.
  def ended(state)
    lambda do |trial, name, _|
      trial.merge!(state:, reason: "x", slices: []) if name == "b"
    end
  end

  test "a page of which no figure can be trusted is inconclusive and says why, the rest goes on" do
    result = gating({ "/a" => CPU, "/b" => CPU }, { "/a" => SLOWER, "/b" => SAME },
                    options: { "/a" => { trial: ended("invalid") } })
    gate = result.pages.first.gates.results.first

    assert_equal [%w[inconclusive], %w[holds]], outcomes(result)
    assert_equal ["side_invalid", nil], [gate.finding.code, gate.interval]
    assert_equal "inconclusive", result.outcome
  end

  test "a page that the newer revision can't serve any more fails" do
    gate = gating({ "/a" => CPU }, { "/a" => SLOWER },
                  options: { "/a" => { trial: ended("failed") } })
           .pages.first.gates.results.first

    assert_equal ["fails", "side_failed", nil], [gate.outcome, gate.finding.code, gate.interval]
  end

  test "it reports each page, and what came of it" do
    events = []
    gating({ "/a" => CPU, "/b" => CPU }, { "/a" => SAME, "/b" => SAME },
           on_event: ->(name, facts) { events << [name, facts] })

    assert_equal %i[page page_done page page_done], events.map(&:first)
    assert_equal [["GET /a", 1, 2], ["GET /b", 2, 2]],
                 events.select { |name, _| name == :page }
                       .map { |_, facts| [facts[:page].name, *facts.values_at(:number, :of)] }
  end
end
