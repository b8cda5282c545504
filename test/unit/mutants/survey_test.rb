# frozen_string_literal: true

require "test_helper"
require_relative "../../../rakelib/support/mutants"

module Mutants
  class SurveyTest < Mohs::TestCase
    def timing(name, cpu_s, methods)
      Suite::Timing.new(test: ["a_test.rb", "ATest", name], cpu_s:, wall_s: cpu_s, methods:)
    end

    def names(survey, ...) = survey.tests(...).map { |timing| timing.test.last }

    test "of a method those that call it, of the rest those that call anything of the file" do
      survey = Survey.new([timing("one", 0.2, { "a.rb" => [3] }),
                           timing("two", 0.1, { "a.rb" => [3, 9], "b.rb" => [1] }),
                           timing("other", 0.0, {})])

      assert_equal [%w[two one], %w[two], []], [3, 9, 7].map { |line| names(survey, "a.rb", line) }
      assert_equal %w[two one], names(survey, "a.rb", nil)
      assert_equal %w[other two one], names(survey, "constants.rb", nil)
      assert_empty names(survey, "constants.rb", 3)
    end

    test "as many as the budget holds, but one" do
      survey = Survey.new([9.0, 1.5, 1.4, 0.2].map { |cpu_s| timing(cpu_s, cpu_s, { "a" => [1] }) })
      slow = Survey.new([9.0, 8.0].map { |cpu_s| timing(cpu_s, cpu_s, { "a" => [1] }) })

      assert_equal [0.2, 1.4], names(survey, "a", 1)
      assert_equal [8.0], names(slow, "a", 1)
    end
  end
end
