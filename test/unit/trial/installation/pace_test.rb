# frozen_string_literal: true

require "test_helper"

class InstallationPaceTest < Mohs::TestCase
  def setup
    @clock = Mohs::ProgressHelper::HandClock.new
    @pace = Mohs::Trial::Installation::Pace.new(16.0, clock: @clock)
  end

  # The new time, so many seconds after the last one.
  def after(seconds, done_s, *under_way)
    @clock.pass(seconds)
    @pace.call(done_s, under_way)
  end

  test "what the first gems took tells how long the rest takes" do
    assert_nil after(3, 0.5), "too little"
    assert_in_delta 12 + (12 * (3**0.5)), after(9, 4.0)
    assert_nil after(1, 4.3), "the same pace"
    assert_nil after(11, 8.0), "not much longer than announced"
    assert_in_delta 32 + (8 * 2), after(8, 8.0)
  end

  test "what is compiled now counts by the time that it has had, and is not over before it is" do
    assert_nil after(8, 4.0, [8.0, 4.0]), "half of it, at the expected pace"
    assert_in_delta 20 + 2 + (4 * ((20 / 12.0)**0.5)), after(12, 4.0, [8.0, 10.0])
    assert_nil after(1, 14.0, [0.3, 5.0])
  end

  test "a gem that takes longer than all was expected to take tells it, before it is done" do
    assert_nil after(4, 0.5)
    assert_in_delta 21.5, after(2, 0.5)
    assert_nil after(5, 0.5), "not much longer than announced"
    assert_in_delta 28.5, after(2, 0.5)
  end

  test "half as much again is announced before it has passed" do
    said = (1..24).find { |seconds| after(1, seconds * 16.0 / 24) }
    assert_operator said, :<=, 8
  end

  test "what takes as long as expected, or less, is not announced" do
    assert_nil after(4, 4.0)
    assert_nil after(1, 8.0)
    assert_nil after(5, 8.2)
    assert_nil after(900, 16.0), "nothing is left"
  end
end
