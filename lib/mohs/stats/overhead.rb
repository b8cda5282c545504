# frozen_string_literal: true

module Mohs
  module Stats
    # What one variant takes of a request beyond another: the difference of two times, 1 / rate
    # each. Two such differences are compared by the log of their ratio in each round, not by the
    # ratio of their means: what makes a host slow for a round multiplies both, and cancels.
    module Overhead
      module_function

      # `other` over `one`, pairs of names [slow, fast]. rounds: of each the log rates of these
      # names, relative to any of them. bias: how far a difference of these may be off besides; of
      # an overhead it is larger by as much as the times are larger than their difference. Of no
      # round if an overhead is not above 0 in each of them: to leave out the others would favour
      # it.
      #: (Array[Hash[String, Float]], [String, String], [String, String], ?bias: Float) -> Stats::Effect
      def ratio(rounds, one, other, bias: 0.0)
        pairs = rounds.map { |logs| [one, other].map { |pair| times(logs, pair) } }
        return Effect.new(count: 0) unless pairs.flatten(1).all? { |slow, fast| slow > fast }

        effect = Effect.of(pairs.map { |below, above| Math.log(beyond(above) / beyond(below)) })
        return effect if bias.zero?

        effect.biased(bias * Center.mean(pairs.map { |pair| pair.sum { |times| reach(times) } }))
      end

      def times(logs, pair) = pair.map { |name| Math.exp(-logs.fetch(name)) }

      def beyond((slow, fast)) = slow - fast

      def reach(times) = times.sum / beyond(times)

      private_class_method :times, :beyond, :reach
    end
  end
end
