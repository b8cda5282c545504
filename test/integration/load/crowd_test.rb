# frozen_string_literal: true

require "test_helper"

module Mohs
  # Two thousand connections; test/slow has ten thousand.
  class CrowdTest < TestCase
    include Crowd
    include LoadHelper

    test "each of two thousand connections is opened, and none gets more than its share" do
      document = crowd(2000, "-n", "6000", "-t", "2")

      assert_equal [3, 3], document[:connections].values_at(:requests_min, :requests_max)
    end

    test "all of them at once in an open loop" do
      document = crowd(2000, "--rate", "100000", "--burst", "2000", "-n", "4000")

      assert_equal 4000, document[:open_loop][:offered]
    end
  end
end
