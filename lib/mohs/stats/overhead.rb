# frozen_string_literal: true

module Mohs
  module Stats
    # The time that one variant takes for a request in excess of another: the difference of two
    # times, each 1 / rate. Two such differences are compared by the ratio of their means over the
    # rounds, in times relative to the geometric mean of the round's times: what slows a host for a
    # round multiplies them all, and cancels.
    module Overhead
      module_function

      # The ratio of the overhead of `other` to that of `one`, both pairs of names [slow, fast].
      # rounds: in each the log rates of these names, relative to any of them. bias: how far a
      # difference of these may be off in addition; for an overhead it is larger by the factor by
      # which the times are larger than their difference. An Effect of no round if an overhead is
      # not above 0 on average.
      #: (Array[Hash[String, Float]], [String, String], [String, String], ?bias: Float) -> Stats::Effect
      def ratio(rounds, one, other, bias: 0.0)
        names = [*one, *other].uniq
        scaled = rounds.map { |logs| scaled(logs.slice(*names)) }
        below, above = [one, other].map { |pair| scaled.map { |times| times.values_at(*pair) } }
        effect = RatioOfMeans.paired(differences(above), differences(below))
        return effect if bias.zero? || effect.count.zero?

        effect.biased(bias * [below, above].sum { |times| reach(times) })
      end

      # { name => time }.
      def scaled(logs)
        level = Center.mean(logs.values)
        logs.transform_values { |log| Math.exp(level - log) }
      end

      def differences(times) = times.map { |slow, fast| slow - fast }

      def reach(times) = times.sum(&:sum) / differences(times).sum

      private_class_method :scaled, :differences, :reach
    end
  end
end
