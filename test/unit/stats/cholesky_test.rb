# frozen_string_literal: true

require "test_helper"

class StatsCholeskyTest < Mohs::TestCase
  include Mohs::Stats

  def setup = @random = Random.new(10)

  def positive_definite(size)
    root = Array.new(size) { Array.new(size) { @random.rand(-1.0..1.0) } }
    Array.new(size) do |i|
      Array.new(size) { |j| root.sum { |row| row[i] * row[j] } + (i == j ? 0.1 : 0) }
    end
  end

  def times(matrix, vector) = matrix.map { |row| row.zip(vector).sum { |a, b| a * b } }

  test "a solution solves, an inverse inverts" do
    (0..8).each do |size|
      matrix = positive_definite(size)
      cholesky = Cholesky.new(matrix)
      wanted = Array.new(size) { @random.rand }
      refute_predicate cholesky, :singular?
      cholesky.solve(times(matrix, wanted)).zip(wanted) { |got, x| assert_in_delta x, got, 1e-9 }
      cholesky.inverse.each_with_index do |column, i|
        times(matrix, column).each_with_index do |value, j|
          assert_in_delta i == j ? 1 : 0, value, 1e-9
        end
      end
    end
  end

  test "columns of very different scale lose nothing" do
    scales = [1e-6, 1.0, 1e9]
    matrix = positive_definite(3)
    scaled = Array.new(3) { |i| Array.new(3) { |j| matrix[i][j] * scales[i] * scales[j] } }
    wanted = [2e6, -1.0, 3e-9]
    refute_predicate Cholesky.new(scaled), :singular?
    Cholesky.new(scaled).solve(times(scaled, wanted)).zip(wanted) do |got, x|
      assert_in_epsilon x, got, 1e-9
    end
  end

  test "columns that depend on each other are singular" do
    assert_predicate Cholesky.new([[1.0, 2.0], [2.0, 4.0]]), :singular?
    assert_predicate Cholesky.new([[0.0]]), :singular?
    refute_predicate Cholesky.new([[1e-20]]), :singular?
    assert_predicate Cholesky.new([[1.0, 0.1], [0.1, (0.1**2) + 1e-15]]), :singular?
    refute_predicate Cholesky.new([[1.0, 0.1], [0.1, (0.1**2) + 1e-11]]), :singular?
  end
end
