# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/agreement/signs"

class AgreementSignsTest < Mohs::TestCase
  test "as R's binom.test has it, on both sides alike" do
    assert_in_delta 0.02148, signs(9, 1).p, 0.00001
    assert_in_delta 0.02148, signs(1, 9).p, 0.00001
    assert_in_delta 0.25, signs(3, 0).p, 0.00001
  end

  test "no side proves nothing" do
    assert_in_delta 1.0, signs(5, 5).p
    assert_in_delta 1.0, signs(1, 0).p
  end

  test "says the median and how many are below" do
    assert_equal "-1.0 % (9 of 10 below, p 0.021)", signs(9, 1).to_s
  end

  private

  def signs(below, above) = Mohs::AgreementSigns.new(([-0.01] * below) + ([0.02] * above))
end
