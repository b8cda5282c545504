# frozen_string_literal: true

require "test_helper"

module Mohs
  class EffortTest < TestCase
    def seconds(cores: 2, fetch: [], copy: [], **more)
      App::Bundle::Effort.seconds(fetch:, copy:, cores:, **more)
    end

    test "what is compiled takes longest, and less on more cores" do
      none = seconds
      assert_in_delta 100.6, seconds(cores: 1, fetch: %w[sassc tilt]) - none, 0.001
      assert_in_delta 50.6, seconds(cores: 2, fetch: %w[sassc tilt]) - none, 0.001
    end

    test "what comes compiled is fetched only" do
      assert_in_delta seconds(fetch: %w[tilt roda]),
                      seconds(fetch: %w[nokogiri tilt], precompiled: %w[nokogiri]), 0.001
    end

    test "a gem that is compiled has one of the cores" do
      assert_equal [[50.3, 20.0], [0.3, 4.0]], [["sassc", 40], ["tilt", 8]].map { |gem, seconds|
        App::Bundle::Effort.under_way(gem, seconds, cores: 2)
      }
    end

    test "a copy takes less than fetching, whatever would be compiled" do
      assert_operator seconds(copy: %w[sassc] * 60), :<, seconds(fetch: %w[tilt] * 60)
    end
  end
end
