# frozen_string_literal: true

module Mohs
  class Comparison
    module Doubts
      # Position effect: is one half of the machine slower than the other, whoever is on it? The
      # exchange cancels it, but what makes it so may disturb in other ways.
      module Halves
        LEAST = 0.1

        module_function

        #: (Comparison) -> Comparison::Doubts::Doubt?
        def call(comparison)
          duets = comparison.pairs.select { |pair| pair.scheme == "duet" }
          interval = Doubts.certain(duets.filter_map { |pair| difference(pair) }) or return
          return if interval.value.abs < Math.log(1 + LEAST)

          apart = Verdict::Words.signed(Math.exp(interval.value.abs)).delete_prefix("+")
          Doubt.new(text: "one half of the machine serves #{apart} more than the other, whoever " \
                          "is on it: something else runs there", fatal: false)
        end

        # Of each variant's two servers, the one on the first half and the one on the second.
        def difference(pair)
          sides = [pair.a, pair.b].map { |trials| trials.sort_by { |trial| trial[:ordinal] } }
          logs = sides.flat_map { |trials| half_difference(trials) }
          Stats::Center.mean(logs) unless logs.empty? || logs.any?(&:nil?)
        end

        def half_difference(trials)
          halves = trials.group_by { |trial| trial.dig(:facts, :worker) }
          rates = [0, 1].map do |worker|
            halves[worker]&.filter_map { |trial| Trial::Figures.new(trial).throughput_per_s }&.first
          end
          rates.all? ? Math.log(rates[1] / rates[0]) : nil
        end
        private_class_method :difference, :half_difference
      end
    end
  end
end
