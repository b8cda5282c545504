# frozen_string_literal: true

module Mohs
  module Analysis
    # The result of a run at any time, computed purely from the stored run: its rows, which of them
    # differ, what they are compared with, and notes on the host and the servers; and the Result of
    # the procedure that measures it.
    class Run
      # The result of --shield over all cohorts: what was read back, not what was requested. `given`
      # is real-time, nice, none, or "in part" if the cohorts differ; `threads` is the number of the
      # servers' threads, of which `shielded` had that class; `driver` the classes of the driver's
      # threads other than `given`; `refusals` the reasons why less was given than requested;
      # `endings` the reasons why it was taken back early, one for each cohort in which it was;
      # `cohorts` the number of cohorts with a shield.
      class Shield < Struct.new(:given, :threads, :shielded, :driver, :refusals, :endings, :cohorts,
                                keyword_init: true)
        include Value

        # nil if no cohort has recorded a shield.
        #: (Array[Store::Cohort]) -> Analysis::Run::Shield?
        def self.of(cohorts)
          shields = cohorts.filter_map(&:shield)
          return if shields.empty?

          kinds = shields.map { |one| one[:given] }.uniq
          given = kinds.one? ? kinds.first : "in part"
          new(given:, threads: shields.sum { |one| one[:threads] },
              shielded: shields.sum { |one| one[:shielded] },
              driver: shields.map { |one| one[:driver] }.uniq - [given],
              refusals: shields.flat_map { |one| one[:refusals] }.uniq,
              endings: shields.filter_map { |one| one[:ended] }, cohorts: shields.size)
        end
      end
      # Host checks that show that others use the CPU.
      BUSY = %w[other_processes steal].freeze
      # Smaller differences in memory are not reported.
      LEAST_MEMORY_BYTES = 1_000_000
      # After this many times the rounds, intervals are half as wide.
      CLOSER = 4

      # The stored run, and what its procedure makes of it (Analysis::Result).
      attr_reader :stored, :result

      # run: as returned by Store#result.
      #: (Store::Run) -> void
      def initialize(run)
        @stored = run
        @result = run.study.procedure.result(run)
      end

      # Its cohorts, adjusted to the mean speed of the cores.
      #: () -> Array[Store::Cohort]
      def cohorts = result.cohorts

      #: () -> String
      def state = stored.state

      # Name of the variant that the rows are compared with (Result#baseline).
      #: () -> String
      def baseline = result.baseline

      # Why another variant stands in for the baseline; nil if none does. Only a server that
      # answered has a boot time.
      #: () -> Analysis::Finding?
      def baseline_missing
        instead = result.stand_in or return

        declared = stored.study.baseline
        booted = trials.any? { |trial| trial.variant == declared && trial.boot_ns }
        Finding.new(code: booted ? "baseline_not_measured" : "baseline_not_booted",
                    severity: :warn, subject: declared, values: { declared:, instead: })
      end

      # Connections of each measured variant; nil if the variants have different numbers.
      #: () -> Integer?
      def connections
        counts = trials.filter_map { |trial| trial.connections[:asked] }.uniq - [0]
        counts.first if counts.one?
      end

      # What the figures mean: the cores of each server, and whether the driver had one of its own.
      # nil if the cores are unknown.
      #: () -> { each: Integer, apart: bool? }?
      def cores
        each = trials.filter_map(&:cores).max or return
        { each:, apart: cohorts.map(&:apart).compact.last }
      end

      #: () -> Analysis::Run::Shield?
      def shield = @shield ||= Shield.of(cohorts)

      # The machine that the load came from, as of the last cohort; the round trip to it, as medians
      # over cohorts; and the share of its CPU that other processes took, as a mean. nil if the load
      # came from this machine.
      #: () -> Hash[Symbol, untyped]?
      def load_from
        all = cohorts.filter_map(&:load_from)
        return if all.empty?

        shares = all.filter_map { |one| one[:foreign_cpu_share] }
        foreign_cpu_share = Stats::Center.mean(shares) if shares.any?
        { **all.last, round_trip: round_trip(all), foreign_cpu_share: }
      end

      # Noise of the host: means over cohorts.
      #: () -> Hash[Symbol, Float]
      def noise
        cohorts.flat_map { |cohort| cohort.noise.to_a }.group_by(&:first)
               .transform_values { |same| Stats::Center.mean(same.map(&:last)) }
      end

      # Files of the application's folder that changed during the run, the largest change first
      # (App::FolderChanges#call).
      #: () -> Array[{ path: String, change: String, bytes: Integer }]
      def written
        last = stored.cohorts.flat_map(&:written).to_h { |one| [one[:path], one] }
        last.values.sort_by { |one| -one[:bytes].abs }
      end

      # Files outside the application's folder that its servers had open for writing.
      #: () -> Array[String]
      def outside = stored.cohorts.flat_map(&:outside).uniq

      # Seconds for which its cohorts waited for other mohs on this machine.
      #: () -> Float
      def waiting_s = stored.cohorts.sum(&:waiting_s)

      # A finding if servers failed in a warm-up with others beside them, and not alone: mohs's own
      # load was the reason. Else nil.
      #: () -> Analysis::Finding?
      def disturbed
        found = stored.cohorts.flat_map(&:warmed_alone).select { |one| one[:flawless] }
        variants = found.map { |one| one[:variant] }.uniq
        errors = Figures.sum(found.map { |one| one[:errors].to_h.transform_keys(&:to_s) })
        reasons = found.filter_map { |one| one[:reason] }.uniq
        Finding.note("warmed_alone", variants:, errors:, reasons:) if variants.any?
      end

      # The host checks that failed in at least half of the cohorts, as Doctor.record has them.
      # Where no other process took CPU time, the pressure was that of our own load a moment before.
      #: () -> Array[Hash[Symbol, untyped]]
      def against
        against = cohorts.filter_map(&:against).map do |one|
          busy = one.any? { |check| BUSY.include?(check[:name]) }
          busy ? one : one.reject { |check| check[:name] == "pressure" }
        end
        names = against.flat_map { |one| one.map { |check| check[:name] } }.tally
        often = names.select { |_, count| 2 * count >= against.size }.keys
        often.map { |name| against.flatten.reverse.find { |check| check[:name] == name } }
      end

      # Numbers of rounds: planned, done, and `closer`, which would make the intervals of those that
      # are done half as wide (of the planned ones before that).
      #: () -> Hash[Symbol, Integer]
      def rounds
        by_round = cohorts.group_by(&:round).values
        done = by_round.count { |round| round.all?(&:done?) }
        planned = stored.plan.rounds || by_round.size
        { planned:, done:, closer: CLOSER * (done.zero? ? planned : done) }
      end

      # The fastest first; of streams those with the shortest median time.
      #: () -> Array[Analysis::Row]
      def rows
        @rows ||= begin
          with, without = unordered.partition(&:measured?)
          (stored.study.streams ? by_latency(with) : by_rate(with)) + without
        end
      end

      #: () -> Array[Analysis::Row]
      def measured_rows = rows.select(&:measured?)

      # The verdict of a row against the baseline (Result#judge), the same on the whole page.
      #: (Analysis::Row) -> Analysis::Verdict
      def verdict(row)
        (@verdicts ||= {})[row.name] ||=
          row.name == baseline ? Verdict.new(outcome: :baseline) : result.judge(row)
      end

      # Memory at rest beyond the baseline's; nil if either is unknown, or unless they differ beyond
      # chance and by at least LEAST_MEMORY_BYTES.
      #: (Analysis::Row) -> Integer?
      def memory_difference_bytes(row)
        sizes = [row, baseline_row].map { |one| one&.estimates&.dig(:memory_bytes, :value) }
        return if row == baseline_row || !sizes.all?

        difference = sizes.reduce(:-).round
        difference if difference.abs >= LEAST_MEMORY_BYTES && result.memory_differs?(row.name)
      end

      # The failed requests of a row.
      #: (Analysis::Row) -> Analysis::ErrorRate
      def errors(row)
        compared = row.measured? && row.name != baseline
        base = baseline_row if compared && baseline_row&.measured?
        ErrorRate.of(row, baseline: base, candidates: unordered.count(&:measured?) - 1)
      end

      # Findings about variants whose share of failed requests differs from the baseline's beyond
      # chance, or differs with too few boots to tell whether that is chance.
      #: () -> Array[Analysis::Finding]
      def error_findings
        base = baseline_row or return []
        rows.filter_map { |row| error_finding(row, errors(row), errors(base).share) }
      end

      # Names of variants that can't be distinguished, among those with an interval. With too few
      # rounds nothing can be distinguished, which does not mean equal.
      #: () -> Array[Array[String]]
      def groups
        return [] if stored.study.streams # which no rate tells apart

        @groups ||= begin
          names = measured_rows.map(&:name) - [baseline]
          effects.groups(names.select { |name| effects.interval?(name) })
        end
      end

      # { name => "ab" }: the letters of the groups that each variant belongs to.
      #: () -> Hash[String, String]
      def marks = @marks ||= Stats::Groups.marks(groups)

      # Why one variant differs from another (Result#explanation).
      #: (String, ?against: String) -> Analysis::Explanation
      def explanation(name, against: baseline)
        (@explanations ||= {})[[against, name]] ||= result.explanation(name, against:)
      end

      # The ratio of a metric of any two variants, `other` over `one`, from the cohorts that had
      # both: no other comparison is valid on a shared machine.
      #: (Analysis::Metric, String, String) -> Analysis::Contrast
      def contrast(metric, one, other)
        Contrast.new(metric:, effect: effects.ratio(metric, one, other), alpha:,
                     total: effects.total_ratio(metric, one, other),
                     fatal: effects.fatal_of(metric, one, other))
      end

      # What the servers did from the first request on; nil if the study has no cold start.
      #: () -> Analysis::ColdStart?
      def cold_start
        @cold_start ||= recorded_start if stored.study.cold_start
      end

      # Where the time of both variants went. profiles: { id of a trial => Profile }, of a run that
      # took them. nil if no cohort has profiles of both.
      #: (String, against: String, profiles: Hash[Integer, Profile], category: Profile::Category) -> Analysis::ProfileDifference?
      def profile_difference(name, against:, profiles:, category:)
        pairs = result.together(against, name).map do |pair|
          pair.map { |trials| trials.select { |trial| profiles.key?(trial.id) } }
        end
        pairs = pairs.select { |pair| pair.all?(&:any?) }
        ProfileDifference.new(pairs, profiles:, category:, level: ->(count) { alpha / count }) \
          if pairs.any?
      end

      # Assigns the servers' stack frames to parts of the work.
      #: () -> Profile::Category
      def frame_category
        Profile::Category.new(servers: Servers.all.filter_map(&:gem), app: stored.study.app)
      end

      # The explanation as findings if the verdict is faster or slower; else none.
      #: (Analysis::Row) -> Array[Analysis::Finding]
      def why(row)
        verdict = verdict(row)
        return [] if stored.study.streams # readings are of what a request costs

        verdict.differs? ? explanation(row.name).why(verdict) : []
      end

      # How the intervals of the verdicts were computed (Result#inference).
      #: () -> Analysis::Effects::Inference?
      def inference = result.inference

      # A finding if there are more connections than threads, as the servers attested. Variants with
      # a given rate are left out: there, the wait for a thread is what is measured. So are streams:
      # a server hands them to fibers, or to the application, or opens only as many as it has
      # threads, and then the others have failed.
      #: () -> Analysis::Finding?
      def crowding
        return if stored.study.streams

        ConnectionsExceedThreads.call(measured_rows.reject(&:given_rate).to_h do |row|
          [row.name, [row.connections, row.slots]]
        end)
      end

      # A finding about gems whose versions differ between variants.
      #: () -> Analysis::Finding?
      def gem_versions
        GemVersions.call(measured_rows.to_h { |row| [row.name, row.attested[:gems].to_h] })
      end

      # A finding if all variants ended alike, without figures (Result#shared_failure).
      #: () -> Analysis::Finding?
      def shared_failure = result.shared_failure

      # The trial with a setting that is not what its variant asks for; nil if there is none.
      #: () -> Store::Trial?
      def unmet = trials.find(&:unmet?)

      # Does that end the run? Not if only one of several variants has no JIT of its own, or if mohs
      # chose them: then the others are measured.
      #: () -> bool
      def ended_by_setting?
        return false unless stored.study.named && unmet

        lost = trials.select(&:unmet?)
        left = stored.study.variants.reject(&:refusal).map(&:name) - lost.map(&:variant)
        left.size < 2 || lost.any? { |trial| trial.reason.code != Store::Trial::SAME_JIT }
      end

      # The row with an interval that differs from the baseline only in that the baseline runs the
      # JIT that the application turns on, and it runs none; nil if there is none.
      #: () -> Analysis::Row?
      def without_jit
        base = stored.study.variant(baseline.to_s)
        off = Rubies::Engines::Base::NO_JIT
        return unless base&.own_jit && ![nil, off].include?(baseline_jit)

        measured_rows.find do |row|
          variant = stored.study.variant(row.name)
          variant.same_but_for_jit?(base) && row.attested[:jit] == off && verdict(row).low
        end
      end

      # The JIT that the baseline attested; nil if unknown.
      #: () -> String?
      def baseline_jit = baseline_row&.attested&.dig(:jit)

      # How many cohorts each host of a fleet has measured, by name; {} for a run without a fleet.
      #: () -> Hash[String, Integer]
      def hosts = stored.cohorts.select(&:done?).filter_map(&:host_name).tally.sort.to_h

      # How many cohorts of a fleet's run were measured without the fleet, by `mohs resume`.
      #: () -> Integer
      def cohorts_outside_fleet
        hosts.empty? ? 0 : stored.cohorts.count { |one| one.done? && one.host_name.nil? }
      end

      # How a row's verdict holds across these hosts; nil if it has no verdict, or fewer than two
      # hosts measured it.
      #: (Analysis::Row) -> Analysis::OverHosts?
      def over_hosts(row)
        known = @over_hosts ||= {}
        known.fetch(row.name) do
          judged = !%i[baseline invalid].include?(verdict(row).outcome)
          known[row.name] = (result.over_hosts(row.name) if judged)
        end
      end

      # A finding about cohorts that were given up because every attempt at them died, with the
      # hosts of the attempts; nil if there are none.
      #: () -> Analysis::Finding?
      def parked
        parked = stored.cohorts.filter_map { |cohort| cohort.host[:parked] }
        return if parked.empty?

        tries = parked.flatten
        Finding.note("cohorts_parked", cohorts: parked.size, tries: tries.size / parked.size,
                                       hosts: tries.map { |one| one[:host] }.uniq.sort,
                                       reason: tries.filter_map { |one| one[:reason] }.last)
      end

      # A finding if some variants' responses were wrong under load while others responded correctly
      # to the same requests: the fault is then in what they don't share. Else nil.
      #: () -> Analysis::Finding?
      def wrong_answers
        wrong = rows.select(&:wrong_answers?).map(&:name)
        return if wrong.empty? || measured_rows.empty?

        Finding.note("answers_wrong_in", variants: wrong, right: measured_rows.size)
      end

      # Expected responses as they were learned, one for each request.
      #: () -> Array[App::Answer]
      def answers = measured.flat_map { |trial| trial.answers.to_a }.uniq(&:request)

      # Did the services listen on TCP because one of the engines can't use anything else?
      #: () -> bool
      def jdbc? = stored.study.jdbc?

      # Notes on the servers' own set-up.
      #: () -> Array[Analysis::Finding]
      def notes
        unlike = UnlikeProduction.call(measured) unless stored.study.jobs
        [own_jit, unlike, *Notes.call(measured)].compact
      end

      # A finding about the JIT that the application turns on by itself; nil if it turns on none.
      #: () -> Analysis::Finding?
      def own_jit = OwnJit.call(measured, stored.study)

      private

      # By the effect if there is one, since it was measured side by side and the rates were not.
      def by_rate(rows)
        base = unordered.find { |row| row.name == baseline }
        rows.sort_by { |row| -(effects.effect(row.name).ratio || row.relative_to(base)) }
      end

      def by_latency(rows)
        rows.sort_by { |row| row.latency.quantiles[:p50] || Float::INFINITY }
      end

      def round_trip(load_from)
        trips = load_from.filter_map { |one| one[:round_trip] }
        return if trips.empty?

        %i[p50_ns p99_ns].to_h { |key| [key, Stats::Center.median(trips.map { _1[key] })] }
      end

      def recorded_start
        names = stored.study.variants.map(&:name)
        recorded = trials.select { |trial| ColdStart.recorded?(trial) }
        ColdStart.of(recorded.group_by(&:variant).slice(*names), alpha:)
      end

      def error_finding(row, rate, baseline_share)
        return unless rate.differs? || (rate.untested? && rate.share != baseline_share)

        differs = rate.differs?
        Finding.new(code: differs ? "errors_differ" : "errors_one_boot",
                    severity: differs ? :warn : :info, subject: row.name,
                    values: { variant: row.name, share: rate.share, baseline:, baseline_share:,
                              p: rate.p })
      end

      def trials = @trials ||= stored.cohorts.flat_map(&:trials)

      def measured = trials.select(&:measured?)

      # The variants in the plan. Those that were cut are reported separately, unless they were
      # measured before.
      def variants
        tried = trials.reject(&:lost?).map(&:variant)
        cut = stored.plan.dropped.to_a.filter_map { |one| one[:name] }
        planned = (stored.plan.variants - cut) + tried
        return stored.study.variants if planned.empty?

        stored.study.variants.select { |variant| planned.include?(variant.name) }
      end

      def baseline_row = unordered.find { |row| row.name == baseline }

      def unordered = @unordered ||= variants.map { |variant| Row.new(variant, cohorts) }

      def effects = result.effects

      def alpha = result.alpha
    end
  end
end
