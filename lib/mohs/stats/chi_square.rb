# frozen_string_literal: true

module Mohs
  module Stats
    # Chi-square with `df` degrees of freedom.
    module ChiSquare
      module_function

      # Share above x (Abramowitz and Stegun 26.4.19).
      #: (Numeric, Numeric) -> Float
      def upper(x, df) = Gamma.upper(df / 2.0, x / 2.0)
    end
  end
end
