# frozen_string_literal: true

require "test_helper"

module Mohs
  # Which numbers of connections a search tries, and what it finds.
  class ConnectionSearchTest < TestCase
    # Searches where the block says whether so many connections keep the limit.
    def searched(first: 100, most: 20_000)
      search = LoadRun::ConnectionSearch.new(first:, most:)
      tried = []
      while (count = search.next) && tried.size < 100
        tried << count
        search.add(count, kept: yield(count))
      end
      [search.kept, search.missed, tried]
    end

    test "it doubles, halves the range, and tries both ends twice" do
      kept, missed, tried = searched { |count| count <= 1000 }

      assert_equal [100, 200, 400, 800, 1600, 1600], tried.first(6)
      assert_includes 951..1000, kept
      assert_operator missed, :<=, kept * 1.05
      assert_equal [2, 2], [tried.count(kept), tried.count(missed)]
    end

    test "wherever the limit is, the range around it is as narrow as it says" do
      [1, 2, 3, 7, 19, 20, 21, 99, 100, 101, 12_345].each do |most|
        kept, missed, tried = searched { |count| count <= most }
        assert_operator kept, :<=, most
        assert_operator missed, :>, most
        assert_operator missed, :<=, [kept * 1.05, kept + 1].max
        assert_operator tried.size, :<=, 40
      end
    end

    test "no number may keep it, and all may" do
      kept, missed, tried = searched { false }
      assert_equal [nil, 1, [100, 100, 50, 50, 25, 25, 12, 12, 6, 6, 3, 3, 1, 1]],
                   [kept, missed, tried]
      kept, missed, tried = searched(most: 300) { true }
      assert_equal [300, nil, [100, 200, 300, 300]], [kept, missed, tried]
      assert_equal [[50, 50], 50], searched(most: 50) { true }.values_at(2, 0)
    end

    test "one load that misses by chance does not decide" do
      chance = 0
      kept, = searched { |count| count == 400 ? (chance += 1) > 1 : count <= 1000 }

      assert_includes 951..1000, kept
    end

    test "one load that keeps it by chance does not, either" do
      chance = 0
      kept, missed, = searched { |count| count > 1000 ? (chance += 1) == 1 : true }

      assert_includes 951..1000, kept
      assert_operator missed, :>, 1000
    end

    # With a chance of 1 in 10 for each load to say the opposite, within a factor of 2.
    test "with loads that are often wrong it is near all the same" do
      off = Array.new(200) do |seed|
        random = Random.new(seed)
        kept, = searched { |count| (count <= 1000) ^ (random.rand < 0.1) }
        (kept || 1) / 1000.0
      end

      assert_operator off.count { |share| share.between?(0.5, 2) }, :>=, 160
    end
  end
end
