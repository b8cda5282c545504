# frozen_string_literal: true

module Mohs
  # Bounds of a true share, given that `count` of `all` were seen (Clopper and Pearson, Biometrika
  # 26, 1934).
  module ClopperPearson
    # The confidence of each bound.
    SURE = 0.95

    module_function

    # The largest share that is compatible with `count` of `all`.
    #: (Integer, Integer) -> Float
    def at_most(count, all)
      return 1.0 if count == all

      (0.0..1.0).bsearch { |p| Stats::Beta.regularized(p, count + 1, all - count) >= SURE }
    end

    # The smallest such share.
    #: (Integer, Integer) -> Float
    def at_least(count, all) = 1 - at_most(all - count, all)
  end
end
