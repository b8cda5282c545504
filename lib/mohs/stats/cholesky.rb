# frozen_string_literal: true

module Mohs
  module Stats
    # Solves the normal equations of least squares: M x = v for a symmetric positive definite M, as
    # an array of rows, by M = L L' (Golub and Van Loan, Matrix Computations, algorithm 4.2.1).
    # Columns may be of very different scale: that changes no digit of it.
    class Cholesky
      # A pivot below this share of its diagonal is rounding: the columns depend on each other.
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

      #: () -> Array[Array[Float]]
      def inverse
        Array.new(@size) { |one| solve(Array.new(@size) { |index| index == one ? 1.0 : 0.0 }) }
      end

      private

      def factor(row, index)
        @rows << []
        index.times do |column|
          @rows[index] << ((row[column] - dot(index, column)) / @rows[column][column])
        end
        pivot = row[index] - dot(index, index)
        @rows[index] << Math.sqrt([pivot, 0].max)
        pivot > SINGULAR * row[index]
      end

      # The sum over what is known of two rows, left of `column`.
      def dot(row, column) = (0...column).sum { |k| @rows[row][k] * @rows[column][k] }

      def forward(vector)
        vector.each_with_index.with_object([]) do |(value, row), known|
          rest = (0...row).sum { |k| @rows[row][k] * known[k] }
          known << ((value - rest) / @rows[row][row])
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
