# frozen_string_literal: true

module Mohs
  module Stats
    class Race
      # What the rounds so far say about the settings that are left: each pair is judged by the
      # spread of all settings, if they vary alike (Contrasts).
      class Look
        # Names of the settings.
        attr_reader :names

        # rounds: { name => logarithm } each, more is better. alphas: the two-sided levels of this
        # look, for :differs and for :equal.
        #: (Array[Hash[String | Integer, Float]], names: Array[String | Integer], leader: String | Integer, alphas: Hash[Symbol, Float]) -> void
        def initialize(rounds, names:, leader:, alphas:)
          @names = names
          @leader = leader
          @alphas = alphas
          cohorts = rounds.map { |round| round.slice(*names) }
          @contrasts = Contrasts.new(cohorts, rounds: [*0...rounds.size], baseline: leader)
          @normal = Normal.quantile(1 - (alphas[:differs] / 2))
          @quantiles = Hash.new do |known, (alpha, df)|
            known[[alpha, df]] = StudentT.upper_quantile(alpha / 2, df)
          end
        end

        # Whether `other` is better than `one`, beyond chance. Most pairs fail already by the normal
        # distribution, whose tails are lighter than any t's; computing t's quantile takes longer.
        #: (String | Integer, String | Integer) -> bool
        def better?(one, other)
          lead = effect(one, other, :differs)
          return false unless lead.error

          lead.value > @normal * lead.error && lead.value > half(lead, :differs)
        end

        # By how much `other` is better than `one`; without ends if they share too few rounds.
        #: (String | Integer, String | Integer) -> Stats::Interval
        def interval(one, other)
          lead = effect(one, other, :differs)
          return Interval.new(value: lead.value, count: lead.count) unless lead.error

          half = half(lead, :differs)
          Interval.new(value: lead.value, low: lead.value - half, high: lead.value + half,
                       count: lead.count)
        end

        # Whether `name` is shown to be worse than the leader by less than the margin. By these
        # rounds no setting is better than the leader.
        #: (String | Integer, Float) -> bool
        def within?(name, margin)
          lead = effect(name, @leader, :equal)
          !lead.error.nil? && lead.value + half(lead, :equal) < Margin.log(margin)
        end

        private

        def effect(one, other, test) = @contrasts.between(one, other, alpha: @alphas[test])

        # As Effect#half_width; the quantile is mostly the same for all pairs.
        def half(lead, test) = @quantiles[[@alphas[test], lead.df]] * lead.error
      end
    end
  end
end
