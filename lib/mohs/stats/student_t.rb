# frozen_string_literal: true

module Mohs
  module Stats
    # Student's t with `df` degrees of freedom.
    module StudentT
      module_function

      # Share above t, by P(T > t) = I_x(df/2, 1/2) / 2 with x = df / (df + t^2), t >= 0 (Abramowitz
      # and Stegun 26.7.1).
      #: (Float, Numeric) -> Float
      def upper(t, df)
        return 1 - upper(-t, df) if t.negative?

        Beta.regularized(df / (df + (t * t).to_f), df / 2.0, 0.5) / 2
      end

      # Probability that |T| is at least |t|: what a two-sided test calls p.
      #: (Float, Numeric) -> Float
      def two_sided(t, df) = 2 * upper(t.abs, df)

      # The t with a share `tail` (at most 1/2) above it. The tail is convex to the right of 0, so
      # Newton's method comes to the root from the left and cannot overshoot; the normal quantile,
      # always left of it, is where it starts.
      #: (Float, Numeric) -> Float
      def upper_quantile(tail, df)
        t = Normal.quantile(1 - tail)
        200.times do
          step = (upper(t, df) - tail) / density(t, df)
          t += step
          break if step.abs <= 1e-14 * t.abs
        end
        t
      end

      # The t that a share `p` lies below.
      #: (Float, Numeric) -> Float
      def quantile(p, df) = p < 0.5 ? -upper_quantile(p, df) : upper_quantile(1 - p, df)

      #: (Float, Numeric) -> Float
      def density(t, df)
        log = -Beta.log_beta(df / 2.0, 0.5) - ((df + 1) / 2.0 * Math.log(1 + (t * t / df.to_f)))
        Math.exp(log) / Math.sqrt(df)
      end
    end
  end
end
