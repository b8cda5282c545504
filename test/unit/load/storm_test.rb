# frozen_string_literal: true

require "test_helper"

module Mohs
  # When a load drops connections, and how many.
  class StormTest < TestCase
    test "before it all are open as long as the last has after it had to be opened again" do
      storm = Load::Storm.within(0.2, connections: 100, duration_s: 11.2, open_per_s: 100)
      assert_equal [0.2, 6.0], storm.to_a
      assert_equal [0.2, 6_000_000_000], storm.packed
      all = Load::Storm.within(1.0, connections: 100, duration_s: 16, open_per_s: 20)
      assert_equal [8.0, 3.0], [all.after_s, 16 - all.after_s - 5]
    end

    test "a load that is over before all are open again has no time for one" do
      assert_in_delta 2.05,
                      Load::Storm.within(0.45, connections: 100, duration_s: 3, open_per_s: 50)
                                 .after_s
      assert_nil Load::Storm.within(0.6, connections: 100, duration_s: 3, open_per_s: 50)
      assert_nil Load::Storm.within(0.1, connections: 100, duration_s: 1, open_per_s: 50)
    end
  end
end
