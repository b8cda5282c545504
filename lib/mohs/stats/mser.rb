# frozen_string_literal: true

module Mohs
  module Stats
    # Where a series has left its initial transient: MSER-5 (White, Cobb and Spratt, Winter
    # Simulation Conference 2000) cuts off the number of batches of five that minimises the standard
    # error of the mean of the rest.
    module Mser
      BATCH = 5
      # The criterion is small by chance near the end of the series (Hoad, Robinson and Davies, J.
      # Oper. Res. Soc. 61, 2010): the last five batches are never cut off, and a cut in the second
      # half means that the series is too short to tell.
      KEPT = 5

      module_function

      # Observations to leave out at the start. Nil if the series (of at least ten batches, 50
      # observations) is too short, or is not steady; nil by chance for 2 % of steady series of 400,
      # 12 % of 100. batch: 1 if the observations are means of many already (MSER; White, Simulation
      # 69, 1997).
      #: (Array[Numeric], ?batch: Integer) -> Integer?
      def cut(values, batch: BATCH)
        means = values.each_slice(batch).select { |some| some.size == batch }
          .map { |some| Center.mean(some) }
        return if means.size < 2 * KEPT

        errors = squared_errors(means)
        best = (0..(means.size - KEPT)).min_by { |index| errors[index] }
        best * batch if best <= means.size / 2
      end

      # For each batch, from the first: the sum of squares about their mean of this batch and all
      # after it, divided by the square of their number. In one pass from the end (Welford 1962).
      def squared_errors(means)
        mean = squares = 0.0
        found = means.reverse.each.with_index(1).map do |value, count|
          off = value - mean
          mean += off / count
          squares += off * (value - mean)
          squares / (count * count)
        end
        found.reverse
      end

      private_class_method :squared_errors
    end
  end
end
