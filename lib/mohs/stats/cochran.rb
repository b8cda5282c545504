# frozen_string_literal: true

module Mohs
  module Stats
    # Which group varies more than the others. Cochran's test of the largest variance (Annals of
    # Eugenics 11, 1941), by which ISO 5725-2 finds laboratories whose repetitions disagree: the
    # group with the largest variance is tested against all others together and, if it stands out,
    # the same is done with the remaining groups. With unequal counts by 't Lam (Analytica Chimica
    # Acta 659, 2010). Meant for roughly normal values.
    module Cochran
      # The level at which ISO 5725-2 leaves a group out.
      LEVEL = 0.01

      module_function

      # { name => p } for groups { name => values }: the chance that the largest of so many equal
      # variances stands out like this one. A group with p below LEVEL is left out of the tests of
      # the groups after it, in the order of their p. Groups of one value have nil.
      #: (Hash[untyped, Array[Numeric]]) -> Hash[untyped, Float?]
      def p(groups)
        spreads = groups.select { |_, values| values.size > 1 }
                        .transform_values { |values| [Spread.variance(values), values.size - 1] }
        found = spreads.size > 1 ? stepwise(spreads) : {}
        groups.to_h { |name, _| [name, found[name]] }
      end

      # spreads: { name => [variance, degrees of freedom] }.
      def stepwise(spreads)
        chances = spreads.to_h { |name, _| [name, chance(spreads, name)] }
        out, least = chances.min_by(&:last)
        return chances if least >= LEVEL || spreads.size < 3

        { out => least, **stepwise(spreads.except(out)) }
      end

      # Multiplied by the number of groups, since any of them could have been the largest
      # (Bonferroni, as in the tables).
      def chance(spreads, name)
        variance, df = spreads.fetch(name)
        others = spreads.except(name).values
        below = others.sum(&:last)
        pooled = others.sum { |one, count| one * count } / below
        return variance.zero? ? 1.0 : 0.0 if pooled.zero?

        [VarianceRatio.upper(variance / pooled, df, below) * spreads.size, 1.0].min
      end

      private_class_method :stepwise, :chance
    end
  end
end
