# frozen_string_literal: true

require "test_helper"

module Mohs
  module Stats
    class NoisePoolTest < TestCase
      test "pooled noise has the sums and the degrees of all, and nothing of their means" do
        pool = NoisePool.of([[1.0, 2.0, 3.0], [10.0, 14.0], [5.0], []])

        assert_equal [10.0, 3], [pool.squares, pool.freedom]
        assert_in_delta Math.sqrt(10 / 3.0), pool.sd
        assert_equal NoisePool.of([[1.0, 2.0, 3.0], [10.0, 14.0]]),
                     NoisePool.of([[1.0, 2.0, 3.0]]) + NoisePool.of([[10.0, 14.0]])
        assert_nil NoisePool.of([[1.0]]).sd
      end
    end
  end
end
