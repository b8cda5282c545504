# frozen_string_literal: true

require "test_helper"

class LauncherTest < Mohs::TestCase
  def of_each(*seconds) = Mohs::Cohort::Launcher.of_each(seconds)

  test "two of each where they are soon there, one where a variant is not" do
    assert_equal 2, of_each(0.4, 3.9)
    assert_equal 1, of_each(0.4, 4.1)
  end

  test "one where nothing is known yet: its figure comes soonest" do
    assert_equal 1, of_each
  end
end
