# frozen_string_literal: true

require "test_helper"

module Mohs
  # When a load drops connections, and how many.
  class StormTest < TestCase
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-load"

    test "a share is typed in percent" do
      assert_equal [0.2, 0.005, 1.0], (["20%", " 0.5 % ", "100%"].map { |one|
 Load::Storm.share(one) })
      ["", "20", "0%", "-1%", "101%", "x%", "%", "nan%"].each do |text|
        error = assert_raises(UsageError) { Load::Storm.share(text) }
        assert_said(error.message)
      end
    end

    test "before it all are open as long as the last has after it had to be opened again" do
      storm = Load::Storm.within(0.2, connections: 100, duration_s: 11.2, open_per_s: 100)
      assert_equal [0.2, 6.0], storm.to_a
      assert_equal [0.2, 6_000_000_000], storm.packed
      all = Load::Storm.within(1.0, connections: 100, duration_s: 16, open_per_s: 20)
      assert_equal [8.0, 3.0], [all.after_s, 16 - all.after_s - 5]
    end

    test "a load that is over before all are open again is refused" do
      assert_in_delta 2.05,
                      Load::Storm.within(0.45, connections: 100, duration_s: 3, open_per_s: 50)
                                 .after_s
      error = assert_raises(UsageError) do
        Load::Storm.within(0.6, connections: 100, duration_s: 3, open_per_s: 50)
      end
      assert_said(error.message)
      assert_raises(UsageError) do
        Load::Storm.within(0.1, connections: 100, duration_s: 1, open_per_s: 50)
      end
    end
  end
end
