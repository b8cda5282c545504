# frozen_string_literal: true

module Mohs
  module Compare
    # Plans a comparison of two variants: as many cohorts as the last look of the sequential test
    # needs, of which the runner takes only as many as are needed to decide it (Result); then
    # one cohort in which each variant is measured alone, for a difference so large that the two may
    # have disturbed each other.
    class Planner
      # Seconds of a cohort besides its servers' boots, warm-ups and measured slices: last readings
      # of the servers, and their shutdown.
      REST_S = 0.3

      # Seconds of slices that are left of a cohort which is cut for a budget: of slow pages, which
      # alone are, a few slices as long as a rate needs.
      LEAST_S = 1

      #: (Study, seed: Integer, costs: Plan::Costs, ?cores: Integer, ?quota_cores: Float?) -> void
      def initialize(study, seed:, costs:, cores: Process::CpuSet.available.size,
                     quota_cores: Doctor.allowance[:cores])
        @quota_cores = quota_cores
        @study = study
        @seed = seed
        @costs = costs
        @cores = cores
        @pair = study.variants
      end

      # Without its estimate (Plan#estimated).
      #: () -> Plan
      def call
        return refused if @pair.any?(&:refusal)

        random = Random.new(@seed)
        cohorts = Array.new(looks.last) { |position| cohort(position, random, scheme) }
        cohorts << cohort(looks.last, random, Plan::Scheme::APART, solo: true) \
          if scheme == Plan::Scheme::DUET
        Plan.new(seed: @seed, rounds: looks.last, cohorts:, dropped: [])
      end

      private

      # If one variant can't be served there is nothing to compare: plans one cohort that gives the
      # reason.
      def refused
        names = @pair.select(&:refusal).map(&:name)
        cohort = Plan::CohortSpec.new(round: 1, position: 0, baseline: nil, variants: names,
                                      scheme: Plan::Scheme::WHOLE, estimate_s: 0)
        Plan.new(seed: @seed, rounds: 1, cohorts: [cohort], dropped: [])
      end

      def looks = @study.rules.question.looks

      def cohort(position, random, scheme, solo: false)
        names = @pair.map(&:name).shuffle(random:)
        Plan::CohortSpec.new(round: position + 1, position:, baseline: @study.baseline,
                             variants: names, seed: random.rand(Plan::SEEDS), scheme:,
                             solo:, estimate_s: cohort_s)
      end

      # Two servers of streams share nothing, and the driver has a core of its own. So it has where
      # requests fall due at a rate: then it sends each in time, whatever the server does.
      def scheme
        return Plan::Scheme::APART if @study.streams || @study.rates.any?

        @scheme ||= half_will_do? ? Plan::Scheme::DUET : Plan::Scheme::WHOLE
      end

      # A duet, unless half of the machine would answer another question (method, section 4): where
      # it has too few cores, where nobody knows how many a server keeps busy, or where its engine
      # compiles on other cores than the one that serves.
      def half_will_do?
        asked = @study.cores
        return false if asked.is_a?(Array)

        processes = @pair.map(&:busy_processes).uniq
        (asked || processes.max) <= @cores / 2 && processes.one? &&
          @pair.none? { |one| Plan::Scheme.foreign?(one) || one.slow? }
      end

      # Seconds of a cohort: in a duet, of its waves, each with a boot and warm-up as long as the
      # slower variant's; otherwise of one server after the other, which may warm up at once.
      def cohort_s
        costs = @pair.map { |variant| @costs.for(variant) }
        unless scheme == Plan::Scheme::DUET
          warm_s = costs.map(&:warm_up_s)
          fixed_s = REST_S + costs.sum(&:boot_s) + (wave? ? warm_s.max : warm_s.sum)
          return fixed_s + within_budget(in_turns_s, fixed_s)
        end

        each = costs.map { |cost| cost.boot_s + cost.warm_up_s }
        waves = Plan::Scheme.servers(each) # of each variant
        fixed_s = REST_S + (waves * each.max)
        fixed_s + within_budget(measured_s(waves), fixed_s)
      end

      # The slices as they are cut to reach the first look (Procedure#aim_s).
      def within_budget(measured_s, fixed_s)
        budget_s = @study.rules.budget_s or return measured_s

        aim_s = budget_s / (Forecast::SPARE * looks.first)
        [measured_s, [aim_s - fixed_s, LEAST_S].max].min
      end

      def wave?
        Plan::Scheme.wave_size(@study, @pair, scheme:, cores: @cores, quota_cores: @quota_cores) > 1
      end

      # Measured seconds of one server after the other.
      def in_turns_s
        @pair.sum { |variant| in_turn_s(variant) }
      end

      def in_turn_s(variant)
        @costs.known(variant).fetch(:measure_s) { usual_s }
      end

      def usual_s
        return @study.streams.measure_s if @study.streams

        slice_s = @study.procedure.loading.slice_s
        return Loading::SLICES * slice_s if slice_s

        [Plan::Costs::MEASURE_S, *@study.rates.map { |rate| Plan::Costs::RATED.fdiv(rate) }].max
      end

      # Measured seconds of a duet: in one of two waves each server is loaded as long as in a single
      # wave.
      def measured_s(waves)
        known = @pair.filter_map { |variant| @costs.known(variant)[:measure_s] }
        known.empty? ? Cohort::Schedule::DUET_S : waves * known.max
      end
    end
  end
end
