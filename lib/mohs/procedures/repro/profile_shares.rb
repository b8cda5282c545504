# frozen_string_literal: true

module Mohs
  module Repro
    # The categories into which the CPU time of a run's servers went, as shares of the samples of
    # their stacks. Shares need no scale: a profiler that loses samples loses those of all
    # categories alike. A part is a pair: the name of a variant and that of a category.
    class ProfileShares
      # One variant: the number of its `trials`, of its `samples` of CPU time, and its `categories`
      # { name => Stats::Interval }, the largest first.
      Level = Struct.new(:name, :trials, :samples, :categories, keyword_init: true) do
        include Value
      end

      KIND = "cpu"

      # A category's share of the CPU time.
      METRIC = Analysis::Metric.new(name: "share", key: :cpu_share, title: "share of the CPU time",
                                    more: true).freeze

      # The shares of a run that took these profiles.
      #: (Analysis::Run, profiles: Hash[Integer, Profile]) -> Repro::ProfileShares
      def self.of(run, profiles:)
        result = run.result
        trials = run.cohorts.map { |cohort| cohort.trials.select(&:measured?) }
        new(trials, profiles:, category: run.frame_category, alpha: result.alpha,
                    fatal: ->(*pair) { result.effects.fatal_of(METRIC, *pair) })
      end

      # cohorts: the measured trials of each. profiles: { id of a trial => Profile }. category: that
      # of frames. alpha: the chance that one interval misses. fatal: returns why a comparison of
      # two variants means nothing, or nil.
      #: (Array[Array[Store::Trial]], profiles: Hash[Integer, Profile], category: Profile::Category, alpha: Float, fatal: ^(String, String) -> Analysis::Finding?) -> void
      def initialize(cohorts, profiles:, category:, alpha:, fatal:)
        @alpha = alpha
        @fatal = fatal
        @cohorts = cohorts.map do |trials|
          known = trials.select { |trial| profiles.key?(trial.id) }
          known.group_by(&:variant).transform_values do |same|
            same.map { |trial| Counts.new(profiles.fetch(trial.id), category) }.select(&:any?)
          end
        end
      end

      # Does the variant have any samples?
      #: (String) -> bool
      def sampled?(variant) = servers(variant).any?

      # The levels of these variants that have samples.
      #: (Array[String]) -> Array[Repro::ProfileShares::Level]
      def levels(variants) = variants.select { |name| sampled?(name) }.map { |name| level(name) }

      # The share of one part, as a contrast to the whole.
      #: ([String, String]) -> Analysis::Contrast
      def share(part)
        contrast(Stats::Shares.share(having(part.first).map { |cohort| of(cohort, part) }),
                 part.first, part.first)
      end

      # The ratio of two shares, `other` over `one`, of the cohorts that had both variants, as rates
      # are compared.
      #: ([String, String], [String, String]) -> Analysis::Contrast
      def ratio(one, other)
        variants = [one.first, other.first]
        cohorts = having(*variants)
        sides = [one, other].map { |part| cohorts.map { |cohort| of(cohort, part) } }
        contrast(Stats::Shares.ratio(*sides, same: variants.uniq.one?), *variants)
      end

      private

      def contrast(effect, one, other)
        Analysis::Contrast.new(metric: METRIC, effect:, alpha: @alpha,
                               fatal: @fatal.call(one, other))
      end

      def level(name)
        counts = servers(name)
        categories = counts.flat_map(&:categories).to_h do |category|
          [category, share([name, category]).interval]
        end
        Level.new(name:, trials: counts.size, samples: counts.sum(&:total).round,
                  categories: categories.sort_by { |_, interval| -interval.value }.to_h)
      end

      def servers(variant) = @cohorts.flat_map { |cohort| cohort.fetch(variant, []) }

      # Cohorts with samples of each of these variants.
      def having(*variants)
        @cohorts.select { |cohort| variants.all? { |name| cohort.fetch(name, []).any? } }
      end

      def of(cohort, part) = cohort.fetch(part.first).map { |counts| counts.sampled(part.last) }

      # One trial's samples by category.
      class Counts
        #: (Profile, Profile::Category) -> void
        def initialize(profile, category)
          @samples = Hash.new(0.0)
          profile.each_stack do |kind, frames, weight|
            @samples[category.of_stack(frames)] += profile.samples(weight) if kind == KIND
          end
        end

        #: () -> bool
        def any? = @samples.any?

        #: () -> Array[String]
        def categories = @samples.keys

        #: () -> Float
        def total = @samples.values.sum

        #: (String) -> Stats::Shares::Sampled
        def sampled(category)
          Stats::Shares::Sampled.new(count: @samples.fetch(category, 0.0), total:)
        end
      end
      private_constant :Counts
    end
  end
end
