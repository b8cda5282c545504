# frozen_string_literal: true

require "test_helper"

class ReasonTest < Mohs::TestCase
  Reason = Mohs::Reason
  BOTH = Reason.new(summary: "answered 302", remedy: "try   --get /login\nor --get /")
  ALONE = Reason.new(summary: "died")

  test "its text is the summary, with the remedy on lines of its own, and is read back" do
    assert_equal ["answered 302\ntry   --get /login\nor --get /", "died"], [BOTH, ALONE].map(&:to_s)
    [BOTH, ALONE].each { |reason| assert_equal reason, Reason.parse(reason.to_s) }
    assert_nil Reason.parse(nil)
  end

  test "JSON has its text" do
    assert_equal '{"reason":"died"}', JSON.generate({ reason: ALONE })
    assert_equal BOTH.to_s, JSON.parse(JSON.pretty_generate([BOTH])).first
  end

  test "each of its parts can be changed" do
    assert_equal Reason.new(summary: "ANSWERED 302", remedy: "TRY   --GET /LOGIN\nOR --GET /"),
                 BOTH.map(&:upcase)
    assert_equal Reason.new(summary: "DIED"), ALONE.map(&:upcase)
  end

  test "an error has it, and its message is the text" do
    error = Mohs::TrialError.new("answered 302", remedy: BOTH.remedy, state: :refused)

    assert_equal [BOTH, BOTH.to_s, :refused], [error.reason, error.message, error.state]
    assert_equal ALONE, Mohs::TrialError.new("died").reason
  end
end
