# frozen_string_literal: true

module Mohs
  # Bounds of a share, of which `count` of `all` were seen (Clopper and Pearson, Biometrika 26,
  # 1934).
  module ClopperPearson
    # Chance with which each holds.
    SURE = 0.95

    module_function

    # The largest share that so many leave open.
    #: (Integer, Integer) -> Float
    def at_most(count, all)
      return 1.0 if count == all

      (0.0..1.0).bsearch { |p| Stats::Beta.regularized(p, count + 1, all - count) >= SURE }
    end

    # The smallest.
    #: (Integer, Integer) -> Float
    def at_least(count, all) = 1 - at_most(all - count, all)
  end
end
