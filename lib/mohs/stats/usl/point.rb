# frozen_string_literal: true

module Mohs
  module Stats
    class Usl
      # Throughput `x` seen at concurrency `n`.
      class Point < Struct.new(:n, :x, :weight)
        #: () -> bool
        def any? = x.positive?

        # What one more of the concurrency costs, which the law is a parabola of.
        #: () -> Float
        def cost = n / x.to_f

        #: () -> [Numeric, Numeric, Numeric]
        def basis = [1, n - 1, n * (n - 1)]

        # The cost of the law with these terms.
        #: ([Float, Float, Float]) -> Float
        def at(terms) = terms[0] + (terms[1] * (n - 1)) + (terms[2] * n * (n - 1))
      end
    end
  end
end
