# frozen_string_literal: true

require "test_helper"

class ReproRoundedTest < Mohs::TestCase
  Rounded = Mohs::Repro::Rounded

  { 1.2 => [1.15, 1.25], 12 => [11.5, 12.5], 12.0 => [11.5, 12.5], 0.0004 => [0.00035, 0.00045],
    0.00005 => [0.000045, 0.000055], 1.25e-6 => [1.245e-6, 1.255e-6] }.each do |number, ends|
    test "#{number} stands for all that round to it" do
      Rounded.ends(number).zip(ends) { |found, wanted| assert_in_epsilon wanted, found, 1e-9 }
    end
  end

  test "a small number is not the ratio of any two" do
    assert Rounded.ratio?(0.00005, of: 1, to: 20_000)
    refute Rounded.ratio?(0.00005, of: 2, to: 20_000)
    refute Rounded.same?(0.00005, 0.0002)
  end
end
