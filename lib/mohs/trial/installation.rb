# frozen_string_literal: true

module Mohs
  class Trial
    # Installs the bundles that a plan's variants need, one for each combination of Ruby, server,
    # front, commit and Gemfile, and reports progress: :install at each step, :outstanding once the
    # total amount of work is known (`gems` to fetch and to copy, and about how many `seconds`),
    # :outstanding_longer once the first gems show that it takes longer (`seconds` in all),
    # :installed at the end of each.
    class Installation
      # Events of a cohort that are reported by themselves, as they are before a run.
      EVENTS = %i[install installed].freeze

      #: (setups: Trial::Setups, ?on_event: Proc, ?clock: Module) -> void
      def initialize(setups:, on_event: ->(*) {}, clock: Clock)
        @setups = setups
        @on_event = on_event
        @clock = clock
        @done_s = 0
      end

      # Called before a run. The bundles of all variants of the plan are resolved first, so that a
      # lock that does not fit one Ruby is known before anything is compiled for another; except
      # those that only a JVM of a later cohort needs, since resolving them takes long. The bundles
      # of the first cohort are installed now, the others just before their own cohort: by then the
      # plan may have left them out. Returns the study, in which variants are refused if their
      # bundle could not be installed, and the baseline is replaced if it is one of them: without a
      # baseline, the whole run would be worthless. In a comparison nothing can replace it. Raises
      # UsageError if the user named the baseline. Ctrl-C passes through, after :install_stopped
      # with what is `installed` and what is `left`.
      #: (Study, Plan) -> Study
      def call(study, plan)
        results = {}
        now, later = in_turn(study, plan)
        resolve(study, now, later, results)
        now.each do |one|
          next if results.key?(key(one))

          results[key(one)] = same_failure(study, one, results) || install(study, one)
        end
        settled(study, plan) { |variant| judged(variant, results[key(variant)]) }
      rescue SignalException, StandardError => error
        @on_event.call(:install_stopped, progress(now, results)) if Interruption.behind?(error)
        raise
      end

      # Called before a dry run, which installs nothing. Returns the study as `call` would, as far
      # as that is known without installing. Gems without a lock are resolved, since nobody knows
      # yet whether that is possible; not those of a commit, which is not checked out. The worker's
      # command is looked for in bundles that are already installed. Raises as `call` does.
      #: (Study, Plan) -> Study
      def rehearse(study, plan)
        now, later = in_turn(study, plan)
        results, missing = {}, {}
        early(now, later).reject(&:revision).each do |variant|
          bundle = bundle(study, variant)
          missing[key(variant)] = @setups.for(study, variant).no_worker
          unfit?(study, variant, results) unless bundle.nil? || bundle.ready? || bundle.locked?
        end
        settled(study, plan) do |variant|
          reason = missing[key(variant)]
          reason ? variant.refused(reason) : judged(variant, results[key(variant)])
        end
      end

      # Called before a cohort. Returns the variant, refused if its bundle could not be installed.
      #: (Study, Study::Variant) -> Study::Variant
      def of(study, variant)
        variant.refusal ? variant : judged(variant, install(study, variant))
      end

      private

      # The variants of the first cohort, and those that come later.
      def in_turn(study, plan)
        now = able(study, plan.cohorts.first.variants)
        [now, able(study, plan.variants) - now]
      end

      # The variants whose bundles are resolved before a run, one for each bundle.
      def early(now, later) = [*now, *later.reject(&:slow?)].uniq { |one| key(one) }

      # The study with its variants as the block returns them, and a baseline that can run.
      def settled(study, plan, &)
        variants = study.variants.map(&)
        return study if variants == study.variants

        Study.new(**study.each_pair.to_h, variants:, **baseline(study, plan, variants))
      end

      # The variants with these names that are not refused.
      def able(study, names)
        study.variants.select { |variant| names.include?(variant.name) && variant.refusal.nil? }
      end

      # Variants with the same key share a bundle.
      def key(variant) = variant.to_h.values_at(:ruby, :server, :front, :gemfile) << variant.commit

      # results: { key => result } of the bundles that were reached.
      def progress(now, results)
        reached, left = now.partition { |variant| results.key?(key(variant)) }
        installed = reached.select { |variant| done?(results[key(variant)]) }
        { installed:, left: }.transform_values { |some| some.map { |one| wanting(one) }.uniq }
      end

      def judged(variant, result)
        return variant if variant.refusal || done?(result)

        variant.refused(result.reason, log: result.log_tail)
      end

      def done?(result) = result.nil? || result.ok?

      # Afterwards `results` has the bundles that can't be resolved, and nil for those that are
      # installed.
      def resolve(study, now, later, results)
        left = early(now, later).reject { |variant| installed?(study, variant, results) }
                                .reject { |variant| unfit?(study, variant, results) }
        keys = now.map { |variant| key(variant) }
        announce(left.select { |one| keys.include?(key(one)) }.map { |one| bundle(study, one) })
      end

      # Announces what is installed now.
      def announce(bundles)
        return if bundles.empty?

        gems = bundles.map(&:outstanding).reduce { |all, more| all.merge(more) { |_, a, b| a + b } }
        seconds = bundles.sum(&:expected_s)
        @pace = Pace.new(seconds, clock: @clock)
        @on_event.call(:outstanding, { gems: gems.transform_values(&:size), seconds: })
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

      # The result of the same gems for another Ruby, if a gem can't be built for lack of a package
      # and this bundle would build it, too; nil if there is none. It took no time.
      def same_failure(study, variant, results)
        gems = bundle(study, variant)&.outstanding&.fetch(:fetch) or return
        failed = results.values.compact.map(&:reason).find { |one| without_package?(one, gems) }
        return unless failed

        ended(wanting(variant), App::Bundle::Result.new(state: :failed, reason: failed).freeze)
      end

      def without_package?(reason, gems)
        built = reason&.values.to_h[:gem] or return false
        reason.code == "gem_not_built" && App::Bundle::Failure.of_any_ruby?(reason) &&
          gems.any? { |gem| built.match?(/\A#{Regexp.escape(gem)}-\d[^-]*\z/) }
      end

      # nil if everything was installed already.
      def install(study, variant)
        bundle = bundle(study, variant)
        return if bundle.nil? || bundle.ready?

        ruby, expected_s = wanting(variant), bundle.expected_s
        result = bundle.install do |line|
          step(ruby, line)
          keep_pace(@done_s + bundle.done_s, bundle.under_way)
        end
        keep_pace(@done_s += expected_s)
        ended(ruby, result)
      end

      def keep_pace(done_s, under_way = [])
        seconds = @pace&.call(done_s, under_way)
        @on_event.call(:outstanding_longer, { seconds: }) if seconds
      end

      def step(ruby, line) = @on_event.call(:install, { ruby:, line: })

      def ended(ruby, result)
        outcome = result.to_h.slice(:state, :seconds, :reason, :notes)
        @on_event.call(:installed, { ruby:, **outcome })
        result
      end

      def bundle(study, variant) = @setups.for(study, variant).bundle

      # The variants that a bundle is for, as the user would write them: "3.4.5, @main".
      def wanting(variant)
        [variant.ruby, variant.revision&.fetch(:typed), variant.gemfile].compact.join(", ")
      end

      # Another baseline if the chosen one is refused: preferably a variant of the plan's first
      # cohort, which is installed by now, and one without flags.
      def baseline(study, plan, variants)
        chosen = variants.find { |variant| variant.name == study.baseline }
        able = variants.reject(&:refusal)
        return {} if chosen.refusal.nil? || able.empty? || !study.procedure.stand_in?
        raise Study::Baseline.impossible(chosen) if study.baseline_named && study.procedure.strict?

        first = able.select { |one| plan.cohorts.first.variants.include?(one.name) }
        able = first if first.any?
        other = able.find { |variant| variant.flags.empty? } || able.first
        Study::Baseline.in_place_of(chosen, other)
      end
    end
  end
end
