# frozen_string_literal: true

require "test_helper"

module Mohs
  class Verification
    class WorkTest < TestCase
      # { pid => ms } of each load; 1 and 2 are counted.
      def work(*loads)
        Work.new([1, 2]).tap { |work| loads.each { |spent| work.add(spent) } }
      end

      test "one load is enough if processes that are counted do nearly all of it" do
        output = work({ 1 => 600, 2 => 350, 9 => 50 })

        assert_predicate output, :sure?
        assert_equal [1000, 950], [output.asked, output.counted]
      end

      test "housekeeping of one load is a smaller share of more" do
        first = { 1 => 430, 9 => 100 }

        refute_predicate work(first), :sure?
        assert_predicate work(first, { 1 => 300, 2 => 300 }), :sure?
      end

      test "a process that serves and is not counted is found however often they are loaded" do
        output = work(*[{ 1 => 400, 9 => 60 }] * 10)

        refute_predicate output, :all_counted?
        refute_predicate output, :sure?
      end

      test "a few ticks show nothing" do
        refute_predicate work({ 1 => 90 }), :sure?
        refute_predicate work, :all_counted?
      end
    end
  end
end
