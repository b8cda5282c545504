# frozen_string_literal: true

require "test_helper"

class InstallationPaceTest < Mohs::TestCase
  def setup
    @clock = Mohs::ProgressHelper::HandClock.new
    @pace = Mohs::Trial::Installation::Pace.new(16.0, clock: @clock)
  end

  # The new time, so many seconds after the last one.
  def after(seconds, done_s)
    @clock.pass(seconds)
    @pace.call(done_s)
  end

  test "what the first gems took tells how long the rest takes" do
    assert_nil after(3, 0.5), "too little"
    assert_in_delta 48, after(9, 4.0)
    assert_nil after(1, 4.3), "the same pace"
    assert_nil after(27, 8.0), "not twice as long as announced"
    assert_in_delta 112, after(16, 8.0)
  end

  test "what takes as long as expected, or less, is not announced" do
    assert_nil after(4, 4.0)
    assert_nil after(1, 8.0)
    assert_nil after(5, 8.2)
    assert_nil after(900, 16.0), "nothing is left"
  end
end
