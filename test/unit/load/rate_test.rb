# frozen_string_literal: true

require "test_helper"

module Mohs
  module Load
    class RateTest < TestCase
      def step(good, wall_ns) = { good:, wall_ns: }

      test "the rate of several steps is that of their time together" do
        assert_in_delta 50.0, Load.rate_per_s([step(10, 100_000_000), step(15, 400_000_000)])
        assert_in_delta 0.0, Load.rate_per_s([step(0, 1)])
      end

      test "without any time, or where right answers are unknown, there is none" do
        assert_nil Load.rate_per_s([step(3, 0)])
        assert_nil Load.rate_per_s([step(3, 1), step(nil, 1)])
        assert_nil Load.rate_per_s([])
      end
    end
  end
end
