# frozen_string_literal: true

require "test_helper"

module Mohs
  module Stats
    class SectionsTest < TestCase
      test "the figure is that of all sections, the smallest that a share did not exceed" do
        sections = [[1, 2, 3, 4, 5], [], [6, 7, 8, 9, 10]]

        assert_equal 9, Sections.new(sections, share: 0.9).figure
        assert_in_delta 5.5, Sections.new(sections, share: nil).figure
        assert_nil Sections.new([[], []], share: 0.9).figure
      end

      test "against a limit it is a log ratio, which does not depend on the unit" do
        one = Sections.new([[20, 20], [20, 20]], share: 0.5).against(10, prior_sd: 0.35)
        other = Sections.new([[2000, 2000], [2000, 2000]], share: 0.5).against(1000, prior_sd: 0.35)

        assert_in_delta Math.log(2), one[:value]
        assert_equal one, other
        assert_equal 4, one[:degrees], "three of the prior"
      end

      test "its error is the sections' spread about it, with the prior's, by their number" do
        sections = [[10.0], [20.0], [40.0], [20.0]]
        result = Sections.new(sections, share: 0.5).against(20, prior_sd: 0.35)
        squares = (2 * (Math.log(2)**2)) + (3 * (0.35**2))
        variance = squares / (3 + 3) / 4

        assert_in_delta Math.sqrt(variance + (0.1**2)), result[:error], 1e-9
      end

      test "the spread is that of the sections' distances from the whole, wherever the limit is" do
        sections = [[10.0], [20.0], [40.0], [20.0]]
        found = Sections.new(sections, share: 0.5)
        errors = [5, 20, 70].map { |limit| found.against(limit, prior_sd: 0.35)[:error] }
        errors.each { |error| assert_in_delta errors.first, error, 1e-9 }
      end

      test "the order of times does not matter" do
        times = [40.0, 10.0, 30.0, 20.0]
        assert_equal [20.0, 40.0], [0.5, 0.9].map { |share| Sections.new([times], share:).figure }
      end

      test "the jackknife takes away what a mean's logarithm lacks by few values" do
        sections = [[10.0], [30.0]]
        result = Sections.new(sections, share: nil).against(10, prior_sd: 0.35)

        assert_in_delta (2 * Math.log(2)) - (Math.log(3) / 2), result[:value]
      end

      test "beyond a factor of 20 all is alike" do
        far = Sections.new([[1e9]], share: 0.5).against(1, prior_sd: 0.35)
        near = Sections.new([[1.0]], share: 0.5).against(1e9, prior_sd: 0.35)
        assert_equal [3.0, -3.0], [far[:value], near[:value]]
      end
    end
  end
end
