# frozen_string_literal: true

require "test_helper"

class StreamWarmUpTest < Mohs::TestCase
  # Steps of so many ms, each with this many streams that had an event.
  def rule(steps, good:, ms:, **options)
    rule = Mohs::Trial::StreamWarmUp.new(settle_s: 3, **options)
    steps.times do |index|
      rule << Mohs::Load::StepResult.new(good:, started_ns: index * ms * 1_000_000,
                                         wall_ns: ms * 1_000_000)
    end
    rule
  end

  test "a server is warm after 200 streams, or after some seconds" do
    assert_equal [2, nil], [rule(99, good: 2, ms: 10).next, rule(99, good: 2, ms: 10).outcome]
    assert_equal %i[warm warm], [rule(100, good: 2, ms: 10), rule(5, good: 2, ms: 1000)].map(&:next)
  end

  test "the user's limit counts in place of the usual one" do
    assert_equal [2, :warm], [8, 4].map { |cap_s| rule(5, good: 2, ms: 1000, cap_s:).next }
  end

  test "a server that sends no event does not get warm" do
    assert_equal :capped, rule(1, good: 0, ms: 10).next
  end

  test "what it did is kept" do
    rule = rule(4, good: 2, ms: 250)

    assert_equal({ outcome: nil, requests: 8, seconds: 1.0, windows: 4 }, rule.to_h)
    assert_equal [8.0, 3, false], [rule.rate, rule.settle_s, rule.alike?(rule)]
    assert_equal [0.0], rule.unwarmed(8).values.uniq
    none = rule(0, good: 0, ms: 0)
    assert_equal [0, 0.0, 0.0], [none.requests, none.seconds, none.rate]
  end
end
