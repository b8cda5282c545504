# frozen_string_literal: true

module Mohs
  module Stats
    # Solves the normal equations of least squares: M x = v for a symmetric positive definite M, as
    # an array of rows, by M = L L' (Golub and Van Loan, Matrix Computations, algorithm 4.2.1).
    # Columns may be of very different scale: that changes no digit of the result.
    class Cholesky
      # A pivot below this share of its diagonal is rounding: the columns are linearly dependent.
      SINGULAR = 1e-12

      #: (Array[Array[Numeric]]) -> void
      def initialize(matrix)
        @size = matrix.size
        @rows = []
        @singular = !matrix.each_with_index.all? { |row, index| factor(row, index) }
      end

      # True if there is no unique solution.
      #: () -> bool
      def singular? = @singular

      #: (Array[Float]) -> Array[Float]
      def solve(vector) = backward(forward(vector))

      # M^-1 = L^-1' L^-1: a sixth of the work of solving for each column.
      #: () -> Array[Array[Float]]
      def inverse
        columns = Array.new(@size) { |column| column_of_inverse(column) }
        Array.new(@size) do |one|
          Array.new(@size) do |other|
            product(columns[one], columns[other], [one, other].max)
          end
        end
      end

      private

      # A column of L^-1, which is lower triangular as L is.
      def column_of_inverse(column)
        found = Array.new(@size, 0.0)
        found[column] = 1 / @rows[column][column]
        ((column + 1)...@size).each do |row|
          found[row] = -product(@rows[row], found, column, row) / @rows[row][row]
        end
        found
      end

      # The sum of the products of two rows' values, over indexes from `from` to below `upto`.
      def product(one, other, from, upto = @size)
        sum = 0.0
        while from < upto
          sum += one[from] * other[from]
          from += 1
        end
        sum
      end

      def factor(row, index)
        @rows << []
        index.times do |column|
          @rows[index] << ((row[column] - dot(index, column)) / @rows[column][column])
        end
        pivot = row[index] - dot(index, index)
        @rows[index] << Math.sqrt([pivot, 0].max)
        pivot > SINGULAR * row[index]
      end

      # The sum over the known parts of two rows, left of `column`.
      def dot(row, column) = product(@rows[row], @rows[column], 0, column)

      def forward(vector)
        vector.each_with_index.with_object([]) do |(value, row), known|
          known << ((value - product(@rows[row], known, 0, row)) / @rows[row][row])
        end
      end

      def backward(vector)
        found = Array.new(@size, 0.0)
        (@size - 1).downto(0) do |row|
          rest = ((row + 1)...@size).sum { |k| @rows[k][row] * found[k] }
          found[row] = (vector[row] - rest) / @rows[row][row]
        end
        found
      end
    end
  end
end
