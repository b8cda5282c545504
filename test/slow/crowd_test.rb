# frozen_string_literal: true

require "test_helper"

module Mohs
  # Ten thousand connections at once.
  class TenThousandTest < TestCase
    include Crowd
    include LoadHelper

    test "ten thousand connections take turns for as long as was asked, and none is lost" do
      document = crowd(10_000, "-d", "5s")

      assert_operator document[:duration_s], :>=, 5
      assert_operator document[:requests][:good], :>=, 10_000
    end

    test "ten thousand in an open loop answer all that fell due" do
      document = crowd(10_000, "--rate", "5000", "-d", "5s", "-t", "2")

      assert_equal 25_000, document[:open_loop][:offered]
      assert_equal 0, document[:open_loop][:unsent]
    end
  end
end
