# frozen_string_literal: true

module Mohs
  module Report
    # Turns what the store holds of a run into the document of docs/json.md: a hash with symbol
    # keys, ready for JSON, from which every screen is rendered. Pure; also for a run that is still
    # under way or was interrupted.
    #
    # Of a trial's `facts` it reads: attested (at the end of its life), memory ({ at_end: {
    # rss_bytes:, pss_bytes:, peak_rss_bytes: }, ... }, any rest points, and peak_rss_bytes where it
    # was sampled), checks (of Analysis::Checks.dump), latency ({ kind:, count:, p50_ns:, p90_ns:,
    # p99_ns:, p999_ns:, max_ns: }), connections and answers (analysis/checks/base.rb).
    class Model
      # Where it ran: apart from the servers?
      DRIVER = { true => "the driver on another", false => "shared with the driver" }.freeze

      # run: store.result(run_id). comparison: of it, where the caller has one already.
      #: (Store::Run, ?comparison: Comparison?) -> Hash[Symbol, untyped]
      def self.build(run, comparison: Comparison.of(run))
        (comparison ? CompareModel.new(run, comparison) : new(run)).document
      end

      #: (Store::Run) -> void
      def initialize(run)
        @run = run
        @cohorts = even
        @study = run.study
        @plan = run.plan
      end

      #: () -> Hash[Symbol, untyped]
      def document
        document = frame.merge(subject, rows:, groups: marked_groups, dropped:)
        document.merge(sentence: sentence(document),
                       notes: [*baseline_note, *Notes.new(document, trials).to_a,
                               *place_note, *shield_note])
      end

      private

      # Its cohorts, told at the mean speed of the cores.
      def even = Analysis::CoreSpeed.new(@run.cohorts).even

      def frame
        Exporters::Json.envelope("run", run: @run.key, seconds: @run.seconds, host:, provenance:)
      end

      def subject
        { state: @run.state, app: @run.app && File.basename(@run.app), baseline:,
          baseline_reason: chosen.reason, margin: Verdict::MARGIN, connections:, rounds:, cores:,
          shield: }
      end

      def sentence(document) = Sentence.new(document).to_s

      def host
        noise = @cohorts.flat_map { |cohort| cohort.noise.to_a }.group_by(&:first)
                     .transform_values { |same| Stats::Center.mean(same.map(&:last)) }
        { fingerprint: @run.fingerprint, noise:, against: }
      end

      # What spoke against the host in at least half of the cohorts (Doctor.record).
      def against
        told = @cohorts.filter_map(&:against)
        names = told.flat_map { |one| one.map { |check| check[:name] } }.tally
        often = names.select { |_, count| 2 * count >= told.size }.keys
        often.map { |name| told.flatten.reverse.find { |check| check[:name] == name } }
             .map { |check| DoctorModel.against(check) }
      end

      def provenance
        given = @run.provenance
        { seed: given[:seed] || @plan.seed, argv: given[:argv].to_a,
          versions: given[:versions] || {} }
      end

      def chosen = @chosen ||= Baseline.new(@study, trials)

      def baseline = chosen.name

      def baseline_note = chosen.note && [{ name: "baseline", text: chosen.note }]

      def connections
        trials.filter_map { |trial| trial.connections[:asked] }.max
      end

      # What the figures speak of: cores of each server, and whether the driver had one of its own.
      def cores
        each = trials.filter_map(&:cores).max or return
        { each:, apart: @cohorts.map(&:apart).compact.last }
      end

      def place_note
        told = cores or return
        each = told[:each] == 1 ? "one core" : "#{told[:each]} cores"
        driver = DRIVER[told[:apart]]
        [{ name: "cores", text: ["#{each} for each server", *driver].join(", ") }]
      end

      def shield = @shield ||= Shield.new(@cohorts).to_h

      def shield_note = shield && [{ name: "shield", text: shield[:text] }]

      def rounds
        by_round = @cohorts.group_by(&:round).values
        done = by_round.count { |round| round.all?(&:done?) }
        { planned: @plan.rounds || by_round.size, done: }
      end

      def trials
        @trials ||= @cohorts.flat_map(&:trials)
      end

      # Those that the plan holds; what the budget cut is told apart.
      def variants
        planned = @plan.variants + trials.map(&:variant)
        return @study.variants if planned.empty?

        @study.variants.select { |variant| planned.include?(variant.name) }
      end

      def comparisons
        @comparisons ||= Comparisons.new(@cohorts, baseline:, candidates: measured - [baseline])
      end

      def measured = plain_rows.select(&:measured?).map(&:name)

      def plain_rows
        @plain_rows ||= variants.map do |variant|
          Row.new(variant, @cohorts)
        end
      end

      def rows = ordered.map { |row| row.to_h.merge(judgement(row)) }

      def judgement(row)
        { baseline: row.name == baseline, group: marks[row.name], verdict: verdict(row).to_h }
      end

      def verdict(row)
        return Verdict.new(outcome: :baseline) if row.name == baseline
        return comparisons.verdict(row.name) if row.measured?

        reason = "#{row.name} has no figures (#{row.state})"
        Verdict.new(outcome: :invalid, against: baseline, reasons: [reason])
      end

      def dropped = @plan.dropped.to_a.map { |cut| { variant: cut[:name], reason: cut[:why] } }

      def marks = @marks ||= Stats::Groups.marks(groups)

      # The fastest on top, by the effect where there is one: it was measured side by side, the
      # rates were not.
      def ordered
        base = plain_rows.find { |row| row.name == baseline }
        with, without = plain_rows.partition(&:measured?)
        with.sort_by { |row| -ratio(row, base) } + without
      end

      def ratio(row, base) = comparisons.effect(row.name).ratio || row.relative_to(base)

      # Of those that have an interval: too few rounds tell nobody apart, which isn't alike.
      def groups
        @groups ||= begin
          names = ordered.select(&:measured?).map(&:name) - [baseline]
          comparisons.groups(names.select { |name| comparisons.effect(name).interval.low })
        end
      end

      def marked_groups = groups.zip("a".."zz").map { |variants, mark| { mark:, variants: } }
    end
  end
end
