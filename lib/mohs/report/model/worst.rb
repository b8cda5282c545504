# frozen_string_literal: true

module Mohs
  module Report
    class Model
      # The checks of several trials as one list: of each check the worst result.
      module Worst
        LEVELS = %w[ok warn invalid].freeze

        module_function

        #: (Array[Store::Trial]) -> Array[Hash[Symbol, untyped]]
        def of(trials)
          results = trials.flat_map(&:checks).map { |row| Phrase.check(Analysis::Checks.load(row)) }
          results.group_by { |result| result[:name] }.values.map { |same| worst(same) }
        end

        # "2 of 3 trials: ..." where they disagree.
        def worst(results)
          result = results.max_by { |one| badness(one) }
          alike = results.count { |one| badness(one) == badness(result) }
          return result if result[:ok] || alike == results.size

          result.merge(detail: "#{alike} of #{results.size} trials: #{result[:detail]}")
        end

        # Failing before not known, not known before passed.
        def badness(result) = [LEVELS.index(result[:level].to_s), result[:ok].nil? ? 1 : 0]

        private_class_method :worst, :badness
      end
    end
  end
end
