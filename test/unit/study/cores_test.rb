# frozen_string_literal: true

require "test_helper"

class CoresTest < Mohs::TestCase
  include Mohs::Screens

  Cores = Mohs::Study::Cores

  GOOD = { "2" => 2, "0,1" => [0, 1], "0-3" => [0, 1, 2, 3], "6,0-2" => [0, 1, 2, 6],
           "1,1" => [1], "3-3" => [3],
           "8-10" => [8, 9, 10], "010" => 10, "19" => 19, "0,8-9,2" => [0, 2, 8, 9] }.freeze

  GOOD.each do |text, cores|
    test "reads #{text.inspect}" do
      assert_equal cores, Cores.parse(text)
    end
  end

  test "anything else is refused with what can be written" do
    ["", "two", "-1", "1.5", "0,", "0x2", "1-2-3", "1 2", "a0,1", "0,1b", "x0-3",
     "0-3x", "x2", "2x", ",1", "0,-1", "0-", "1,2-",
     "1-,2"].then do |texts|
      assert_told("mistakes-cores", texts.to_h do |text|
        [text.inspect, assert_raises(Mohs::UsageError) { Cores.parse(text) }.message]
      end)
    end
  end

  test "what this machine does not have is refused with what it has" do
    [0, 3, [1, 7], [], [3, 1]].each do |cores|
      error = assert_raises(Mohs::UsageError, cores.inspect) { Cores.of(cores, [4, 7]) }
      assert_match(/cores .*: only 2 are available \(4, 7\)\.\z/, error.message)
    end
    error = assert_raises(Mohs::UsageError) { Cores.check(2, [0]) }
    assert_match(/only 1 is available \(0\)\./, error.message)
  end

  test "a number takes the first ones, names those that are named" do
    assert_equal [[4], [4, 7], [7]], [1, 2, [7]].map { |cores| Cores.of(cores, [4, 7]) }
    assert_nil Cores.check(nil, [0])
  end
end
