# frozen_string_literal: true

module Micro
  # Records that are grouped, counted, sorted and looked up: hashes, arrays and blocks.
  class Collections < Computed
    EXPECTED = "97 198064 2018451 1319"
    RECORDS = 12_000

    private

    # The number of groups, the sum of the three largest groups, the sum of the scores looked up,
    # and how often the most frequent last digit of a score occurs.
    def compute
      records = Array.new(RECORDS) { |id| record(id) }
      groups = records.group_by { |record| record[:group] }
      sums = groups.map { |group, members| [group, members.map { |one| one[:score] }.inject(:+)] }
      top = sums.sort_by { |group, sum| [-sum, group] }.first(3)
      by_id = Hash[records.map { |record| [record[:id], record] }]
      found = (0...RECORDS).step(3).inject(0) { |sum, id| sum + by_id.fetch(id)[:score] }
      tally = records.each_with_object(Hash.new(0)) { |one, counts| counts[one[:score] % 10] += 1 }
      [groups.size, top.map(&:last).inject(:+), found, tally.values.max].join(" ")
    end

    def record(id)
      { id: id, group: (id * 31) % 97, score: (id * id) % 1009 }
    end
  end
end
