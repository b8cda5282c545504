# frozen_string_literal: true

require "test_helper"

class ReasonTest < Mohs::TestCase
  Reason = Mohs::Reason
  BOTH = Reason.parse("answered 302\ntry   --get /login\nor --get /")
  ALONE = Reason.parse("died")

  test "its text is the summary, with the remedy on lines of its own, and is read back" do
    assert_equal ["answered 302\ntry   --get /login\nor --get /", "died"], [BOTH, ALONE].map(&:to_s)
    [BOTH, ALONE].each { |reason| assert_equal reason, Reason.parse(reason.to_s) }
    assert_nil Reason.parse(nil)
  end

  test "its parts are kept apart, however many lines each has" do
    odd = Reason.new(summary: "a\nb", remedy: "c", code: "odd", values: { gems: ["x"] })
    stored = JSON.parse(JSON.generate(odd.to_h), symbolize_names: true)

    assert_equal odd, Reason.restore(stored, odd.to_s)
    assert_equal BOTH, Reason.restore(nil, BOTH.to_s)
    assert_nil Reason.restore(nil, nil)
  end

  test "two of one code and values have one cause, without a code those of equal words" do
    one, other = %w[2.7.8 3.0.6].map do |ruby|
      Reason.new(summary: "not #{ruby}", code: "ruby_not_allowed", values: { by: "Gemfile" })
    end

    assert_equal one.cause, other.cause
    refute_equal one.cause, Reason.new(**one.to_h, values: { by: "a.gemspec" }).cause
    assert_equal ALONE.cause, Reason.parse("died").cause
    refute_equal ALONE.cause, Reason.parse("ended").cause
  end

  test "what is to be typed under the Ruby of each is no cause" do
    causes = %w[3.4.5 4.0.5].map do |ruby|
      refused = { status: 500, trouble: { summary: "no asset", remedy: "#{ruby}/run bin/rails" } }
      [refused, { refusal: { code: "error_status", values: refused } }].map do |values|
        Reason.new(code: "error_status", values:).cause
      end
    end

    assert_equal(*causes)
    assert_equal({ status: 500, trouble: { summary: "no asset" } }, causes.first.first.last)
  end

  test "JSON has its text" do
    assert_equal '{"reason":"died"}', JSON.generate({ reason: ALONE })
    assert_equal BOTH.to_s, JSON.parse(JSON.pretty_generate([BOTH])).first
  end

  test "each of its parts can be changed" do
    assert_equal Reason.parse(BOTH.to_s.upcase), BOTH.map(&:upcase)
    assert_equal Reason.parse("DIED"), ALONE.map(&:upcase)
    coded = Reason.new(summary: "died", code: "dead", values: { of: "age", gems: ["x"] })
    assert_equal Reason.new(summary: "DIED", code: "dead", values: { of: "AGE", gems: ["X"] }),
                 coded.map(&:upcase)
    deep = Reason.new(code: "dead", values: { seen: { title: "a", status: 404 } })
    assert_equal({ seen: { title: "A", status: 404 } }, deep.map(&:upcase).values)
  end

  test "its summary has no full stop at the end, as sentences embed it" do
    given = { "It is away." => "It is away", "away" => "away", "Waiting..." => "Waiting...",
              "No. It is away." => "No. It is away" }

    given.each { |text, kept| assert_equal kept, Reason.new(code: nil, summary: text).summary }
    assert_equal "Use 2.", Reason.parse("Away.\nUse 2.").remedy
  end

  test "one without a summary has its code and values, which are stored and read back" do
    bare = Reason.new(code: "error_status", values: { status: 404 })

    assert_equal 'error_status {"status":404}', bare.to_s
    assert_equal bare, Reason.restore({ code: "error_status", values: { status: 404 } }, bare.to_s)
    assert_raises(ArgumentError) { Reason.new(code: nil, remedy: "try again") }
  end

  test "none is made without a code: words would decide what causes are the same" do
    assert_raises(ArgumentError) { Reason.new(summary: "died") }
    assert_raises(ArgumentError) { Mohs::TrialError.new("died") }
  end

  test "an error has it, and its message is the text" do
    error = Mohs::TrialError.new(BOTH, state: :refused)

    assert_equal [BOTH, BOTH.to_s, :refused], [error.reason, error.message, error.state]
    assert_equal Reason.new(summary: "died", code: "dead", values: { of: "age" }),
                 Mohs::TrialError.new("died", code: "dead", values: { of: "age" }).reason
    assert_same BOTH, Mohs::TrialError.new(BOTH).reason
  end
end
