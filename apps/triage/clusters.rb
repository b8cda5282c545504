# frozen_string_literal: true

module Triage
  # Agglomerative clustering by Ward's rule: starting with one cluster per vector, joins the two
  # clusters whose union adds least to the variance within clusters. Distances are updated with the
  # formula of Lance and Williams, so the vectors are read only once.
  class Clusters
    def initialize(vectors)
      @vectors = vectors.map(&:to_h)
      @members = @vectors.each_index.to_h { |index| [index, [index]] }
      @distances = @members.keys.to_h { |one| [one, {}] }
      @members.keys.combination(2) { |one, other| set(one, other, distance(one, other)) }
    end

    # Lists of indices of the vectors, the largest first.
    def call(count)
      join while @members.size > count
      @members.values.sort_by { |indices| [-indices.size, indices] }
    end

    private

    # Squared distance; vectors have length 1.
    def distance(one, other)
      2 - (2 * @vectors[one].sum { |word, weight| weight * @vectors[other].fetch(word, 0) })
    end

    def set(one, other, distance)
      @distances[one][other] = @distances[other][one] = distance
    end

    def join
      one, other = nearest
      between = @distances[one][other]
      (@members.keys - [one, other]).each do |third|
        set(one, third, joined(one, other, third, between))
      end
      @members[one] += @members.delete(other)
      @distances.delete(other)
      @distances.each_value { |row| row.delete(other) }
    end

    def nearest
      pairs = @distances.filter_map do |one, row|
        other, distance = row.min_by { |_, value| value }
        [distance, one, other] if other
      end
      pairs.min.drop(1)
    end

    def joined(one, other, third, between)
      a, b, c = [one, other, third].map { |cluster| @members[cluster].size }
      (((a + c) * @distances[one][third]) + ((b + c) * @distances[other][third]) - (c * between)) /
        (a + b + c)
    end
  end
end
