# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class Traffic
      class LossyCountTest < TestCase
        def tally(things, **options)
          LossyCount.new(**options).tap { |tally| things.each { |thing| tally << thing } }
        end

        test "few are counted exactly, and among equals the first comes first" do
          tally = tally(%w[a b b c d c e])

          assert_equal [["b", 2], ["c", 2], ["a", 1]], tally.top(3)
          assert_equal [7, 5, 0], [tally.total, tally.distinct, tally.short_by]
          assert_equal 5, tally.top(100).size
        end

        test "as many as may be held are all held" do
          full = tally(%w[a b c a], limit: 3)
          over = tally(%w[a b c a d], limit: 3)

          assert_equal [3, 0], [full.distinct, full.short_by]
          assert_equal [["a", 2]], over.top(3)
          assert_equal 1, over.short_by
        end

        test "the frequent ones stay, wherever they stand" do
          tally = tally(%w[a b c c c c d e], limit: 4)

          assert_equal [["c", 4]], tally.top(1)
          assert_equal 1, tally.short_by
        end

        test "200 000 different things are counted exactly, unless a limit is given" do
          tally = tally((1..200_000).to_a)
          assert_equal [200_000, 0], [tally.distinct, tally.short_by]
          tally << 0
          assert_equal 1, tally.short_by
        end

        test "no count is further off than reported, and memory is bounded" do
          random = Random.new(7)
          things = Array.new(20_000) { ((random.rand**4) * 5000).floor }
          truth = things.tally
          tally = tally(things, limit: 300)

          assert_operator tally.distinct, :<=, 300
          assert_equal 20_000, tally.total
          tally.top(300).each do |thing, count|
            assert_includes (truth[thing] - tally.short_by)..truth[thing], count
          end
          frequent = truth.select { |_, count| count > tally.short_by }.keys

          refute_empty frequent
          assert_empty frequent - tally.top(300).map(&:first)
        end
      end
    end
  end
end
