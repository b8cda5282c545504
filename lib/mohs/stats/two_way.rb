# frozen_string_literal: true

module Mohs
  module Stats
    # Many variants over many cohorts: value = cohort + variant + residual (two-way layout without
    # interaction, one value per cell; Scheffe, The Analysis of Variance, 1959, section 4.2). All
    # variants estimate the residual variance together, so few cohorts tell as much as many cohorts
    # of a pair would. Cells may be missing (a variant crashed, or left the race): the variants are
    # then estimated with cohorts eliminated (intrablock analysis of incomplete blocks; John and
    # Williams, Cyclic and Computer Generated Designs, 1995, section 1.4).
    class TwoWay
      # Degrees of freedom: (n - 1)(N - 1) for n cohorts and N variants if no cell is missing.
      attr_reader :df #: Integer

      # cohorts: { variant => value } each, on a scale on which differences mean something
      # (logarithms); a missing cell is nil, or has no key at all.
      #: (Array[Hash[String | Integer, Numeric?]]) -> void
      def initialize(cohorts)
        @cohorts = cohorts.map(&:compact).reject(&:empty?)
        @variants = @cohorts.flat_map(&:keys).uniq
        @linked = linked
        @df = @cohorts.sum(&:size) - @cohorts.size - @variants.size + @linked.size
        estimate
      end

      # Variance of the residuals, pooled over all variants. Nil without degrees of freedom.
      #: () -> Float?
      def variance
        return unless df.positive?

        @variance ||= residuals.values.flatten.sum { |residual| residual**2 } / df
      end

      # { variant => [residual of each cohort that has it] }: for Bartlett's test, before the
      # variance is pooled.
      #: () -> Hash[String | Integer, Array[Float]]
      def residuals
        @residuals ||= @cohorts.each_with_object({}) do |cohort, found|
          mean = Center.mean(cohort.map { |variant, value| value - @effects[variant] })
          cohort.each { |name, value| (found[name] ||= []) << (value - mean - @effects[name]) }
        end
      end

      # `other` minus `one`; nil if no chain of cohorts joins the two.
      #: (String | Integer, String | Integer) -> Float?
      def value(one, other)
        linked = @linked.any? { |group| group.include?(one) && group.include?(other) }
        @effects[other] - @effects[one] if linked
      end

      # Standard error of the difference of two variants that are joined; nil without degrees of
      # freedom.
      #: (String | Integer, String | Integer) -> Float?
      def error(one, other)
        spread = covariance(one, one) + covariance(other, other) - (2 * covariance(one, other))
        Math.sqrt(variance * [spread, 0].max) if df.positive?
      end

      private

      # Groups of variants joined by cohorts: variants of different groups can't be compared.
      def linked
        @cohorts.map(&:keys).each_with_object([]) do |names, groups|
          apart, joined = groups.partition { |group| (group & names).empty? }
          groups.replace(apart << (joined.flatten | names))
        end
      end

      # The first variant of each group is its origin; the others are unknowns. Without missing
      # cells the solution is known: differences of means, each mean with a variance of 1 / n.
      def estimate
        @unknowns = @variants - @linked.map(&:first)
        return estimate_complete if complete?

        normal = Cholesky.new(information)
        found = normal.solve(totals.values_at(*@unknowns))
        @covariance = normal.inverse
        @effects = @variants.to_h { |variant| [variant, 0.0] }.merge(@unknowns.zip(found).to_h)
      end

      def complete? = @cohorts.all? { |cohort| cohort.size == @variants.size }

      def estimate_complete
        count = @cohorts.size
        means = @variants.to_h { |one| [one, @cohorts.sum { |cohort| cohort[one] }.fdiv(count)] }
        @effects = means.transform_values { |mean| mean - means.values.first }
        @covariance = @unknowns.map do |one|
          @unknowns.map { |other| (one == other ? 2 : 1).fdiv(count) }
        end
      end

      # With cohorts eliminated: the number of cohorts that have the variant, on the diagonal, less
      # 1 / size for each cohort that has both variants.
      def information
        matrix = Array.new(@unknowns.size) { Array.new(@unknowns.size, 0.0) }
        @cohorts.each do |cohort|
          held = @unknowns.each_index.select { |index| cohort.key?(@unknowns[index]) }
          held.each { |row| matrix[row][row] += 1 }
          held.product(held) { |row, column| matrix[row][column] -= 1.0 / cohort.size }
        end
        matrix
      end

      # Sums of each variant's values, each less the mean of its cohort.
      def totals
        @cohorts.each_with_object(Hash.new(0.0)) do |cohort, totals|
          mean = Center.mean(cohort.values)
          cohort.each { |variant, value| totals[variant] += value - mean }
        end
      end

      # Relative to the residual variance.
      def covariance(one, other)
        row = @unknowns.index(one)
        column = @unknowns.index(other)
        row && column ? @covariance[row][column] : 0.0
      end
    end
  end
end
