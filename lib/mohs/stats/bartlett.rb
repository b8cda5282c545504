# frozen_string_literal: true

module Mohs
  module Stats
    # Whether groups have equal spread (Bartlett, Proc. R. Soc. A 160, 1937). Tested before
    # variances are pooled: a variant that varies more would otherwise widen everyone's interval,
    # and narrow its own. Meant for roughly normal values: it takes heavy tails for unequal spread.
    module Bartlett
      module_function

      # Chance of spreads this unequal if all were equal. Groups of one value are left out; nil if
      # fewer than two groups remain.
      #: (Array[Array[Numeric]]) -> Float?
      def p(groups)
        groups = groups.select { |group| group.size > 1 }
        return if groups.size < 2

        variances = groups.map { |group| Spread.variance(group) }
        return variances.all?(&:zero?) ? 1.0 : 0.0 if variances.any?(&:zero?)

        statistic = statistic(variances, groups.map { |group| group.size - 1 })
        ChiSquare.upper(statistic, groups.size - 1)
      end

      def statistic(variances, dfs)
        total = dfs.sum
        pooled = variances.zip(dfs).sum { |variance, df| variance * df } / total
        raw = variances.zip(dfs).sum { |variance, df| df * Math.log(pooled / variance) }
        raw / (1 + ((dfs.sum { |df| 1.0 / df } - (1.0 / total)) / (3 * (dfs.size - 1))))
      end

      private_class_method :statistic
    end
  end
end
