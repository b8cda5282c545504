# frozen_string_literal: true

module Mohs
  module Stats
    # Weighted linear least squares by the normal equations: for the two or three well-separated
    # coefficients of this house, where a QR decomposition would change no digit that counts.
    module LeastSquares
      module_function

      # Coefficients c that make the sum of weight * (value - basis . c)^2 smallest. rows: [[basis
      # function, ..], value, weight]. Nil where the data leave more than one answer.
      #: (Array[[Array[Numeric], Numeric, Numeric]]) -> Array[Float]?
      def solve(rows)
        terms = rows.first.first.each_index.to_a
        normal = Cholesky.new(terms.map { |one| terms.map { |other| product(rows, one, other) } })
        return if normal.singular?

        normal.solve(terms.map { |one| rows.sum { |basis, y, weight| weight * basis[one] * y } })
      end

      def product(rows, one, other)
        rows.sum { |basis, _, weight| weight * basis[one] * basis[other] }
      end

      private_class_method :product
    end
  end
end
