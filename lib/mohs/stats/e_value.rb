# frozen_string_literal: true

module Mohs
  module Stats
    # Evidence against "no difference" that may be looked at after every cohort, without end: the
    # Bayes factor of a t statistic under a normal prior on mean / sd. The chance that it ever
    # reaches 1 / alpha, where there is no difference, is alpha at most (Ville 1939; for this
    # statistic Perez-Ortiz, Lardy, de Heide and Grunwald, Ann. Stat. 52, 2024). Sequential, which
    # knows its last look, decides sooner.
    module EValue
      module_function

      # E = (1 + ng)^(-1/2) [(1 + t^2/v) / (1 + t^2/(v (1 + ng)))]^(n/2) with v = n - 1, written
      # with sums of squares, so that equal differences need no case of their own. `g`: variance of
      # the prior (method, section 4). 1 as long as nothing can be said.
      #: (Array[Float], ?g: Numeric) -> Float
      def of(differences, g: 10)
        n = differences.size
        total = differences.sum { |difference| difference**2 }
        return 1.0 if total.zero?

        explained = n * (Center.mean(differences)**2)
        prior = 1.0 + (n * g)
        left = total - (explained * (1 - (1 / prior)))
        Math.exp((n * Math.log(total / left) / 2) - (Math.log(prior) / 2))
      end
    end
  end
end
