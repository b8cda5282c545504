# frozen_string_literal: true

require "test_helper"

class EqualizerTest < Mohs::TestCase
  # It has got so many requests, or so many actions of so many requests each.
  class Trial
    Sample = Struct.new(:result)
    Result = Struct.new(:sent, :actions)

    attr_reader :worker, :rate, :samples

    # rate: of requests.
    def initialize(count, worker, rate, requests: nil)
      @worker, @rate, @requests, @samples = worker, rate, requests, []
      load(count)
    end

    # As a step of so many.
    def load(count)
      result = @requests ? Result.new(count * @requests, count) : Result.new(count)
      @samples << Sample.new(result)
    end

    def sent = @samples.sum { |sample| sample.result.sent }
    def warm_up = self
  end

  test "who answered fewer goes on, those on other cores beside it, until all have as many" do
    first, second, third = Trial.new(100, 0, 1e3), Trial.new(70, 0, 1e3), Trial.new(90, 1, 1e3)
    level = Mohs::Cohort::Equalizer.new([first, second, third])

    assert_equal [[second, third], 10], level.turn
    [second, third].each { |trial| trial.load(10) }
    assert_equal [[second], 20], level.turn
    second.load(20)
    assert_equal [[], nil], level.turn
  end

  test "for a second of its own rate at most" do
    behind = Trial.new(10, 1, 25.0)

    assert_equal [[behind], 25],
                 Mohs::Cohort::Equalizer.new([Trial.new(5000, 0, 900.0), behind]).turn
  end

  test "those that follow a scenario have as many actions in the end, and no more requests" do
    first, second = Trial.new(100, 0, 1e3, requests: 5), Trial.new(70, 1, 1e3, requests: 5)
    level = Mohs::Cohort::Equalizer.new([first, second])
    behind, count = level.turn
    behind.each { |trial| trial.load(count) }

    assert_equal [30, 500, 500], [count, first.sent, second.sent]
    assert_equal [[], nil], level.turn
  end

  test "for as many actions at most as take a second" do
    behind = Trial.new(10, 1, 25.0, requests: 5)

    assert_equal [[behind], 5],
                 Mohs::Cohort::Equalizer.new([Trial.new(5000, 0, 900.0, requests: 5), behind]).turn
  end
end
