# frozen_string_literal: true

require "test_helper"

class EqualizerTest < Mohs::TestCase
  class Trial
    attr_accessor :sent
    attr_reader :worker, :rate

    def initialize(sent, worker, rate) = (@sent, @worker, @rate = sent, worker, rate)
    def warm_up = self
  end

  test "who answered fewer goes on, those on other cores beside it, until all have as many" do
    first, second, third = Trial.new(100, 0, 1e3), Trial.new(70, 0, 1e3), Trial.new(90, 1, 1e3)
    level = Mohs::Cohort::Equalizer.new([first, second, third])

    assert_equal [[second, third], 10], level.turn
    [second, third].each { |trial| trial.sent += 10 }
    assert_equal [[second], 20], level.turn
    second.sent += 20
    assert_equal [[], nil], level.turn
  end

  test "for a second of its own rate at most" do
    behind = Trial.new(10, 1, 25.0)

    assert_equal [[behind], 25],
                 Mohs::Cohort::Equalizer.new([Trial.new(5000, 0, 900.0), behind]).turn
  end
end
