# frozen_string_literal: true

module Mohs
  class Trial
    # Installs the bundles that a study's variants need, one for each Ruby, server, commit and
    # Gemfile among them, and reports progress: :install with each step, :outstanding once it is
    # known what is to be done in all (`gems` to fetch and to copy, about how many `seconds`),
    # :installed at the end of each.
    class Installation
      #: (setups: Trial::Setups, ?on_event: Proc) -> void
      def initialize(setups:, on_event: ->(*) {})
        @setups = setups
        @on_event = on_event
        @bundles = {}
      end

      # Before a run. All bundles are resolved first, so that a lock that does not fit a Ruby is
      # known before anything is compiled for another. Returns the study, with variants refused
      # whose bundle could not be installed, and another baseline if that is one of them: without
      # one, the whole run would be worthless.
      # In a comparison nothing can replace it. A JVM's bundle takes a minute, and its cohorts come
      # behind those of all others (Plan::Builder): it is left until then. Raises UsageError if the
      # person named the baseline. Ctrl-C passes through, after :install_stopped with what is
      # `installed` and what is `left`.
      #: (Study) -> Study
      def call(study)
        results = {}
        resolve(study, results)
        variants = study.variants.map do |variant|
          next variant unless now?(study, variant)

          key = key(variant)
          judged(variant, results.fetch(key) { results[key] = install(study, variant) })
        end
        return study if variants == study.variants

        Study.new(**study.each_pair.to_h, variants:, **baseline(study, variants))
      rescue SignalException, StandardError => error
        @on_event.call(:install_stopped, progress(study, results)) if Interruption.behind?(error)
        raise
      end

      # Before a cohort: the variant, refused if its bundle could not be installed.
      #: (Study, Study::Variant) -> Study::Variant
      def of(study, variant)
        variant.refusal ? variant : judged(variant, install(study, variant))
      end

      private

      def now?(study, variant) = variant.refusal.nil? && !later?(study, variant)

      # Variants of one key share a bundle.
      def key(variant) = [variant.ruby, variant.server, variant.commit, variant.gemfile]

      # results: of the bundles that were reached, by key.
      def progress(study, results)
        reached, left = study.variants.select { |variant| now?(study, variant) }
                             .partition { |variant| results.key?(key(variant)) }
        installed = reached.select { |variant| done?(results[key(variant)]) }
        { installed:, left: }.transform_values { |some| some.map { |one| wanting(one) }.uniq }
      end

      def later?(study, variant)
        variant.slow? && study.comparison.nil? && variant.name != study.baseline
      end

      def judged(variant, result)
        done?(result) ? variant : variant.refused(result.reason, log: result.log_tail)
      end

      def done?(result) = result.nil? || result.ok?

      # `results` then has those that can't be resolved, and nil for those that are installed.
      def resolve(study, results)
        wanted = study.variants.select { |variant| now?(study, variant) }.uniq { |one| key(one) }
        left = wanted.reject { |variant| installed?(study, variant, results) }
                     .reject { |variant| unfit?(study, variant, results) }
                     .map { |variant| bundle(study, variant) }
        return if left.empty?

        gems = left.map(&:outstanding).reduce { |all, more| all.merge(more) { |_, a, b| a + b } }
        @on_event.call(:outstanding, { gems: gems.transform_values(&:size),
                                       seconds: left.sum(&:expected_s) })
      end

      def installed?(study, variant, results)
        bundle = bundle(study, variant)
        return false unless bundle.nil? || bundle.ready?

        results[key(variant)] = nil
        true
      end

      def unfit?(study, variant, results)
        ruby = wanting(variant)
        result = bundle(study, variant).resolve { |line| step(ruby, line) }
        return false if result.ok?

        results[key(variant)] = ended(ruby, result)
      end

      # nil if everything was installed.
      def install(study, variant)
        bundle = bundle(study, variant)
        return if bundle.nil? || bundle.ready?

        ruby = wanting(variant)
        ended(ruby, bundle.install { |line| step(ruby, line) })
      end

      def step(ruby, line) = @on_event.call(:install, { ruby:, line: })

      def ended(ruby, result)
        outcome = result.to_h.slice(:state, :seconds, :reason, :notes)
        @on_event.call(:installed, { ruby:, **outcome })
        result
      end

      # What it has resolved, it need not resolve again.
      def bundle(study, variant)
        @bundles.fetch(key(variant)) do |key|
          @bundles[key] = @setups.for(study, variant).bundle
        end
      end

      # The variants it is for, as the person would write it: "3.4.5, @main".
      def wanting(variant)
        [variant.ruby, variant.revision&.fetch(:typed), variant.gemfile].compact.join(", ")
      end

      def baseline(study, variants)
        chosen = variants.find { |variant| variant.name == study.baseline }
        able = variants.reject(&:refusal)
        return {} if chosen.refusal.nil? || able.empty? || study.comparison
        raise Study::Baseline.impossible(chosen) if study.baseline_named

        other = able.find { |variant| variant.flags.empty? } || able.first
        { baseline: other.name, baseline_reason: "#{chosen.name} can't be installed" }
      end
    end
  end
end
